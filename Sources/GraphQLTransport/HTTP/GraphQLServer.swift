import GraphQL
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves a schema over HTTP until its service group stops. The server then reports at once that it is not ready. After
/// `ServerSettings.shutdownDelay` it takes no new connections, and gives requests in flight `HTTPLimits.drainTimeout`
/// to end.
public struct GraphQLServer<Context: ExecutionContext>: Service {
    /// Makes a request's context out of its head, or refuses it with a `GraphQLError`.
    public typealias Authenticate = @Sendable (RequestHead) async throws -> Context

    public var settings: ServerSettings
    public var logger: Logger
    public var metrics: MetricRegistry
    /// The body of the answer at `/schema.graphql`; nil for 404.
    public var schemaDocument: String?
    /// The text of a JSON object that tells the playground about this API: its name, how sessions are opened, examples.
    /// docs/playground.md has its members, all of which may be missing.
    public var playgroundDescription = "{}"
    /// Documents that clients name by `documentId`. The server does not start where one of them is invalid.
    public var trustedDocuments: TrustedDocuments?
    /// Asks for the state of the services that the server depends on; called for `/readyz`.
    public var readiness: @Sendable () async -> Readiness = { .ready }
    /// Does the work of `authenticate` without waiting. It returns nil where it would have to wait; the server then
    /// calls `authenticate`.
    public var authenticateSynchronously: @Sendable (RequestHead) throws -> Context? = { _ in nil }
    /// Holds back the events of a WebSocket's other subscriptions while a new operation waits for `authenticate`;
    /// returns nil where these subscriptions have no common order. The server calls the returned closure to release the
    /// events: when the operation turns out to be no subscription, when its source stream has been created, or when
    /// the operation fails before that. The call may come on any thread, and more than once.
    public var holdBackEvents: @Sendable (RequestHead) -> (@Sendable () -> Void)? = { _ in nil }
    /// True where a client may introspect, and its errors suggest names of the schema.
    public var allowsIntrospection: @Sendable (Context) -> Bool = { _ in true }
    /// True where a client goes before others while the server has more to do than it can.
    public var isMember: @Sendable (Context) -> Bool = { _ in false }
    /// Makes the observer of an operation whose request has `{"extensions": {"plan": true}}`, or refuses the request
    /// with an `ExecutionError`; the observer answers `extensions.plan`, docs/requests.md. nil: such requests run as
    /// others do.
    public var observe: (@Sendable (Context) async throws -> any ExecutionObserver)?
    /// Makes the observer of a client's operation; nil for an operation that is not observed. Called for each operation
    /// before its document is looked up, so it must neither block nor take long. nil: no operation is observed.
    public var observeOperation: (@Sendable (RequestHead) -> (any OperationObserver)?)?
    /// Makes the observer of one event of a subscription, whose execution may serve many subscribers; nil for an event
    /// that is not observed.
    public var observeEvent: (@Sendable (IdentifiedOperation) -> (any ExecutionObserver)?)?
    /// Headers of the response, read from the operation's context when the response's head is written.
    public var responseHeaders: (@Sendable (Context) -> [(name: String, value: String)])?
    /// Called with the context and the head of each query before anything of it runs, never for another operation. An
    /// operation of a WebSocket has the head of the handshake.
    public var beginQuery: (@Sendable (Context, RequestHead) -> Void)?
    /// True where the response to a query depends on nothing but its document, its variables and the time. Such queries
    /// that are equal and wait to be admitted at the same moment are executed once, with the context of one of them.
    public var isSharedRead: @Sendable (Context, RequestHead) -> Bool = { _, _ in false }
    /// Adds routes beside the GraphQL endpoint.
    public var addRoutes: @Sendable (Router<BasicRequestContext>) -> Void = { _ in }
    /// Called with the port once connections are accepted.
    public var onListening: @Sendable (Int) async -> Void = { _ in }
    let schema: ExecutableSchema<Context>
    let authenticate: Authenticate

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
        let endpoint = try SchemaEndpoint(self, on: MultiThreadedEventLoopGroup.singleton.next())
        try await HTTPService(
            endpoint: endpoint, settings: settings, logger: logger, metrics: metrics,
            schemaDocument: settings.isSchemaPublic ? schemaDocument : nil,
            playground: settings.isPlaygroundEnabled ? PlaygroundRoute(description: playgroundDescription) : nil,
            readiness: readiness, addRoutes: addRoutes, onListening: onListening
        ).run()
    }
}
