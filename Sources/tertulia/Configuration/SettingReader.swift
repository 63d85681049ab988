/// The source of a setting's value: a flag goes before a variable, a variable before the default.
enum SettingOrigin: String, Sendable {
    case flag, variable = "environment", standard = "default"

    /// TERTULIA_HOME → --home, LOG_LEVEL → --log-level
    static func flagName(of variable: String) -> String {
        let prefix = "TERTULIA_"
        let name = variable.hasPrefix(prefix) ? variable.dropFirst(prefix.count) : Substring(variable)
        return "--" + name.lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
    }
}

/// A setting as `config` prints it.
struct ReadSetting: Sendable, Equatable {
    let variable: String
    /// The value, with secrets masked.
    let shown: String
    let origin: SettingOrigin
}

/// Reads settings one by one, and records every value and every invalid one.
struct SettingReader {
    private let environment: [String: String]
    private(set) var settings: [ReadSetting] = []
    private(set) var invalid: [InvalidSetting] = []

    init(environment: [String: String]) { self.environment = environment }

    /// - Parameters:
    ///   - expected: a description of valid values, for the message: "a port number from 0 to 65535".
    ///   - secret: whether messages leave the value out.
    ///   - show: the text of a value, for `config`; it is used for the default too.
    ///   - read: parses a value; nil for an invalid text.
    mutating func read<Value>(
        _ variable: String, _ flag: String?, default standard: Value, expected: String, secret: Bool = false,
        show: (Value) -> String, as read: (String) -> Value?
    ) -> Value {
        let origin: SettingOrigin
        let text: String
        if let flag {
            (text, origin) = (flag, .flag)
        } else if let value = environment[variable], !value.isEmpty {
            (text, origin) = (value, .variable)
        } else {
            settings.append(ReadSetting(variable: variable, shown: show(standard), origin: .standard))
            return standard
        }
        guard let value = read(text) else {
            invalid.append(
                InvalidSetting(variable: variable, origin: origin, expected: expected, value: secret ? nil : text))
            return standard
        }
        settings.append(ReadSetting(variable: variable, shown: show(value), origin: origin))
        return value
    }

    mutating func read(_ variable: String, _ flag: String?, default standard: String, expected: String) -> String {
        read(variable, flag, default: standard, expected: expected, show: { $0 }, as: { $0.isEmpty ? nil : $0 })
    }
}
