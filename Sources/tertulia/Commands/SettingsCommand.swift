import ArgumentParser
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
            StandardErrorLines.write(Array("\(error)\n".utf8))
            // sysexits.h, EX_USAGE: 64
            throw ExitCode.validationFailure
        }
        try await run(configuration, logger: Logger(configuration))
    }
}
