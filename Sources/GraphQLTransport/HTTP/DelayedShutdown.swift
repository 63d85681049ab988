import Logging
import ServiceLifecycle

/// Runs a service, and passes a graceful shutdown on to it after a delay.
struct DelayedShutdown<Delayed: Service>: Service {
    private let service: Delayed
    private let delay: Duration
    private let logger: Logger

    init(_ service: Delayed, by delay: Duration, logger: Logger) {
        self.service = service
        self.delay = delay
        self.logger = logger
    }

    func run() async throws {
        if delay <= .zero { return try await service.run() }
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                logger: logger))
        // A detached task does not inherit the graceful shutdown of this one.
        let running = Task.detached { try await group.run() }
        let stopping = Task { [delay] in
            try await gracefulShutdown()
            try await Task.sleep(for: delay)
            await group.triggerGracefulShutdown()
        }
        defer { stopping.cancel() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            running.cancel()
        }
    }
}
