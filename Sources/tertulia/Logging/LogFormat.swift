import Logging

enum LogFormat: String, Sendable {
    case text, json

    /// Logs go to standard error: standard output is for what a command prints.
    func handler(level: Logger.Level) -> any LogHandler {
        switch self {
        case .text:
            var handler = StreamLogHandler.standardError(label: "tertulia")
            handler.logLevel = level
            return handler
        case .json:
            return JSONLogHandler(level: level, write: StandardErrorLines.write)
        }
    }
}

extension Logger {
    init(_ configuration: Configuration) {
        self.init(label: "tertulia") { _ in configuration.logFormat.handler(level: configuration.logLevel) }
    }
}
