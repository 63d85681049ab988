import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization

/// The listening socket, its connections and the routes beside the endpoint.
struct HTTPService: Service {
    let endpoint: any GraphQLEndpoint
    let settings: ServerSettings
    let logger: Logger
    let metrics: MetricRegistry
    let schemaDocument: String?
    let playground: PlaygroundRoute?
    let readiness: @Sendable () async -> Readiness
    let addRoutes: @Sendable (Router<BasicRequestContext>) -> Void
    let onListening: @Sendable (Int) async -> Void
    let eventLoops: any EventLoopGroup

    func run() async throws {
        let draining = Draining()
        let connections = OpenConnections(settings, descriptors: Descriptors.limit, metrics: metrics)
        let environment = TransportEnvironment(
            endpoint: endpoint, settings: settings,
            telemetry: Telemetry(metrics: metrics, logger: logger, verbosity: settings.accessLog),
            connections: connections)
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        OperationalRoutes(metrics: settings.servesMetrics ? metrics : nil, schemaDocument: schemaDocument) {
            [readiness] in
            if draining.hasBegun { return .notReady(reason: "the server is stopping") }
            return await readiness()
        }.add(to: router)
        playground?.add(to: router)
        addRoutes(router)
        var logger = logger
        // The HTTP library's entries below a warning concern only its own development.
        logger.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            router: router,
            server: HTTPServerBuilder { responder in
                HTTPConnectionChannel(responder: responder, environment: environment)
            },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 4_096,
                availableConnectionsDelegate: connections),
            onServerRunning: { [onListening, logger = self.logger] channel in
                channel.pipeline.eventLoop.execute {
                    try? channel.pipeline.syncOperations.addHandler(AcceptPause(logger: logger), position: .first)
                }
                logger.info("Accepting connections", metadata: ["maximum": "\(connections.maximum)"])
                await onListening(channel.localAddress?.port ?? 0)
            },
            eventLoopGroupProvider: .shared(eventLoops),
            logger: logger)
        try await withGracefulShutdownHandler {
            try await ListeningFailure.named(settings.host, settings.port) {
                try await DelayedShutdown(application, by: settings.shutdownDelay, logger: logger).run()
            }
            await environment.upgraded.ended()
        } onGracefulShutdown: {
            draining.begin()
        }
    }
}

/// Whether the server was told to stop.
private final class Draining: Sendable {
    private let flag = Atomic(false)

    var hasBegun: Bool { flag.load(ordering: .acquiring) }
    func begin() { flag.store(true, ordering: .releasing) }
}
