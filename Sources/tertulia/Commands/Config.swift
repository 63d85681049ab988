import ArgumentParser
import Logging

struct Config: SettingsCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print every setting: what it is, and where that comes from. Secrets are masked.")

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
