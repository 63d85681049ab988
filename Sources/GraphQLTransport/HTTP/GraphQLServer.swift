import GraphQL
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves a schema over HTTP until its service group stops. The server then reports at once that it is not ready. After
/// `ServerSettings.shutdownDelay` it takes no new connections, and gives requests in flight `HTTPLimits.drainTimeout` to
/// end.
public struct GraphQLServer<Context: ExecutionContext>: Service {
    /// Makes a request's context out of its head, or refuses it with a `GraphQLError`, an `ExecutionError` or an
    /// `EndedSession`.
    public typealias Authenticate = @Sendable (RequestHead) async throws -> Context

    public var settings: ServerSettings
    public var logger: Logger
    public var metrics: MetricRegistry
    /// The body of the answer at `/schema.graphql`; nil for 404.
    public var schemaDocument: String?
    /// The text of a JSON object that tells the playground about this API: its name, how sessions are opened, examples.
    /// docs/playground.md has its members, all of which may be missing.
    public var playgroundDescription = "{}"
    /// The documents that this server's clients were built with. The server does not start where one of them is invalid.
    public var trustedDocuments: TrustedDocuments?
    /// Whether the services that the server depends on work; called for `/readyz`.
    public var readiness: @Sendable () async -> Readiness = { .ready }
    /// Does the work of `authenticate` without waiting. It returns nil where it would have to wait; the server then
    /// calls `authenticate`.
    public var authenticateSynchronously: @Sendable (RequestHead) throws -> Context? = { _ in nil }
    /// Tells by a mutation field's name and arguments that it runs for a client whose session has ended, as it does without
    /// credentials. Every root field of the operation has to be such a field.
    public var runsAfterSession: @Sendable (_ field: String, _ arguments: InputObject) -> Bool = { _, _ in false }
    /// Holds back the events of a WebSocket's other subscriptions while a new operation waits for `authenticate`;
    /// returns nil where these subscriptions have no common order. The server calls the returned closure to release the
    /// events: when the operation turns out to be no subscription, when its source stream has been created, or when
    /// none will be. The call may come on any thread, and more than once.
    public var holdBackEvents: @Sendable (RequestHead) -> (@Sendable () -> Void)? = { _ in nil }
    /// Whether a client may introspect, and whether its errors suggest names of the schema.
    public var allowsIntrospection: @Sendable (Context) -> Bool = { _ in true }
    /// Whether a client goes before others where the server has more to do than it can.
    public var isMember: @Sendable (Context) -> Bool = { _ in false }
    /// Makes the observer of an operation whose request has `{"extensions": {"plan": true}}`, or refuses the request with
    /// an `ExecutionError`; the observer answers `extensions.plan`, docs/requests.md. nil: such requests run as others do.
    public var observe: (@Sendable (Context) async throws -> any ExecutionObserver)?
    /// Headers of the response, read from the operation's context when the response's head is written.
    public var responseHeaders: (@Sendable (Context) -> [(name: String, value: String)])?
    /// Adds routes beside the GraphQL endpoint.
    public var addRoutes: @Sendable (Router<BasicRequestContext>) -> Void = { _ in }
    /// Called with the port once connections are accepted.
    public var onListening: @Sendable (Int) async -> Void = { _ in }
    /// The event loops of the listening socket, the client connections and admission. A test of deadlines has its own.
    var eventLoops: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    private let schema: ExecutableSchema<Context>
    private let authenticate: Authenticate

    public init(
        schema: ExecutableSchema<Context>, settings: ServerSettings = ServerSettings(), logger: Logger,
        metrics: MetricRegistry = MetricRegistry(), authenticate: @escaping Authenticate
    ) {
        self.schema = schema
        self.settings = settings
        self.logger = logger
        self.metrics = metrics
        self.authenticate = authenticate
    }

    public func run() async throws {
        let endpoint = SchemaEndpoint(
            pipeline: try DocumentPipeline(
                schema: schema, settings: settings, metrics: metrics, trustedDocuments: trustedDocuments),
            settings: settings, logger: logger, authenticate: authenticate,
            authenticateSynchronously: authenticateSynchronously, runsAfterSession: runsAfterSession,
            holdBackEvents: holdBackEvents,
            allowsIntrospection: allowsIntrospection, isMember: isMember, observe: observe,
            responseHeaders: responseHeaders,
            admission: settings.admission.map { Admission($0, on: eventLoops.next(), metrics: metrics) })
        try await HTTPService(
            endpoint: endpoint, settings: settings, logger: logger, metrics: metrics,
            schemaDocument: settings.isSchemaPublic ? schemaDocument : nil,
            playground: settings.isPlaygroundEnabled ? PlaygroundRoute(description: playgroundDescription) : nil,
            readiness: readiness, addRoutes: addRoutes, onListening: onListening, eventLoops: eventLoops
        ).run()
    }
}
