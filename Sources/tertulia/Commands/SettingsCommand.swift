import ArgumentParser
import GraphQLTransport
import Logging

/// A command that runs on the server's settings.
protocol SettingsCommand: AsyncParsableCommand {
    var flags: SettingFlags { get }

    func run(_ configuration: Configuration, logger: Logger) async throws
}

extension SettingsCommand {
    func run() async throws {
        let configuration: Configuration
        do {
            configuration = try Configuration(flags)
        } catch {
            StructuredLogHandler.writeToStandardError("\(error)\n")
            // sysexits.h, EX_USAGE: 64
            throw ExitCode.validationFailure
        }
        try await run(configuration, logger: Logger(configuration))
    }
}

extension Logger {
    /// Logs go to standard error: standard output is for what a command prints.
    init(_ configuration: Configuration) {
        self.init(label: "tertulia") { label in
            StructuredLogHandler(label: label, format: configuration.logFormat, level: configuration.logLevel)
        }
    }
}
