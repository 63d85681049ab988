import ArgumentParser
import GraphQLTransport
import Logging
import Postgres

/// A command that uses the server's settings.
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
        do {
            try await run(configuration, logger: Logger(configuration))
        } catch PostgresError.unavailable {
            // The log has libpq's reason.
            throw CommandFailure("The database cannot be reached. tertulia doctor says more.")
        } catch let error as PostgresError {
            throw CommandFailure(error.server.map { "PostgreSQL: \($0)" } ?? "PostgreSQL: \(error)")
        }
    }
}

/// The reason for which a command failed, for its user.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension Logger {
    /// Logs go to standard error, because standard output is for the command's own output.
    init(_ configuration: Configuration) {
        self.init(label: "tertulia") { label in
            StructuredLogHandler(label: label, format: configuration.logFormat, level: configuration.logLevel)
        }
    }
}
