import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Serves `/metrics` on an address of its own, which clients of the API need not reach.
public struct MetricsServer: Service {
    private let metrics: MetricRegistry
    private let host: String
    private let port: Int
    private let logger: Logger
    private let onListening: @Sendable (Int) async -> Void

    /// - Parameters:
    ///   - metrics: the metrics to serve.
    ///   - host: the address to listen on.
    ///   - port: the port to listen on; 0 takes any free port.
    ///   - logger: the logger of this server.
    ///   - onListening: called with the port once connections are accepted.
    public init(
        _ metrics: MetricRegistry, host: String, port: Int, logger: Logger,
        onListening: @escaping @Sendable (Int) async -> Void = { _ in }
    ) {
        self.metrics = metrics
        self.host = host
        self.port = port
        self.logger = logger
        self.onListening = onListening
    }

    /// - Throws: `ListeningFailure`
    public func run() async throws {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        OperationalRoutes.add(metrics, to: router)
        var logger = logger
        // The HTTP library's entries below a warning concern only its own development.
        logger.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            router: router, server: .http1(configuration: .init(idleTimeout: .seconds(60))),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { [onListening] channel in await onListening(channel.localAddress?.port ?? 0) },
            logger: logger)
        try await ListeningFailure.named(host, port) { try await application.run() }
    }
}
