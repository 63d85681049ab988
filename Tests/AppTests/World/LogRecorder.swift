import Logging
import Synchronization

/// What is logged, by its metadata.
final class LogRecorder: LogHandler, Sendable {
    private let lines = Mutex<[Logger.Metadata]>([])

    var all: [Logger.Metadata] { lines.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in self } }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) { lines.withLock { $0.append(event.metadata ?? [:]) } }
}
