import ArgumentParser
import Logging

struct Config: SettingsCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print every setting with its value and its source. Secrets are masked.")

    @OptionGroup var flags: SettingFlags

    func run(_ configuration: Configuration, logger: Logger) async throws {
        print(Self.table(configuration.settings), terminator: "")
    }

    static func table(_ settings: [ReadSetting]) -> String {
        let width = settings.map(\.variable.count).max() ?? 0
        return settings.map { setting in
            let padding = String(repeating: " ", count: width - setting.variable.count)
            return "\(setting.variable)\(padding)  \(setting.shown)  (\(setting.origin.rawValue))\n"
        }.joined()
    }
}
