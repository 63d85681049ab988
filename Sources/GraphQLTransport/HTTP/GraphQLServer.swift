import GraphQL
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Serves a schema over HTTP until its service group stops: it is then not ready at once, takes no new connections,
/// and gives what is in flight `HTTPLimits.drainTimeout`.
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
    /// How far what the server depends on works; asked by `/readyz`.
    public var readiness: @Sendable () async -> Readiness = { .ready }
    /// The same as `authenticate` where nothing has to be awaited for it; nil where something has, and then
    /// `authenticate` is called.
    public var authenticateAtOnce: @Sendable (RequestHead) throws -> Context? = { _ in nil }
    /// Keeps the events of a socket's other subscriptions back while a new operation of it waits for `authenticate`; nil
    /// where they have no order among them. What it returns is called, on any thread and perhaps more than once, when
    /// the operation turned out to be no subscription, when its source stream is there, or when there will be none.
    public var holdEvents: @Sendable (RequestHead) -> (@Sendable () -> Void)? = { _ in nil }
    /// Whether a client may introspect, and gets names suggested.
    public var revealsSchema: @Sendable (Context) -> Bool = { _ in true }
    /// Headers that follow from what the operation did, by its context.
    public var responseHeaders: (@Sendable (Context) -> [(name: String, value: String)])?
    /// Adds routes beside the GraphQL endpoint.
    public var addRoutes: @Sendable (Router<BasicRequestContext>) -> Void = { _ in }
    /// Called with the port once connections are accepted.
    public var onListening: @Sendable (Int) async -> Void = { _ in }
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
            authenticateAtOnce: authenticateAtOnce, holdEvents: holdEvents, revealsSchema: revealsSchema,
            responseHeaders: responseHeaders)
        try await HTTPService(
            endpoint: endpoint, settings: settings, logger: logger, metrics: metrics,
            schemaDocument: settings.isSchemaPublic ? schemaDocument : nil,
            playground: settings.isPlaygroundEnabled ? PlaygroundRoute(description: playgroundDescription) : nil,
            readiness: readiness, addRoutes: addRoutes, onListening: onListening
        ).run()
    }
}
