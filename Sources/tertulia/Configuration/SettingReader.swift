import SystemPackage

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
    /// The default as the documentation has it.
    let standard: String
}

/// Reads settings one by one, and records every value and every invalid one.
struct SettingReader {
    private let environment: [String: String]
    private let workingDirectory: FilePath
    private(set) var settings: [ReadSetting] = []
    private(set) var invalid: [InvalidSetting] = []

    init(environment: [String: String], workingDirectory: FilePath) {
        self.environment = environment
        self.workingDirectory = workingDirectory
    }

    /// The origin of a value that was read; nil for a setting that was not.
    func origin(of variable: String) -> SettingOrigin? { settings.first { $0.variable == variable }?.origin }

    mutating func read<Value>(_ setting: Setting<Value>) -> Value {
        read(setting.form, default: setting.standard, "\(setting)")
    }

    mutating func read<Value>(_ setting: DerivedSetting<Value>, default standard: Value) -> Value {
        read(setting.form, default: standard, "\(setting)")
    }

    /// - Parameter isOn: whether its flag, which has no value, is given.
    mutating func read(_ setting: Setting<Bool>, flag isOn: Bool) -> Bool {
        read(isOn ? setting.form.given("true") : setting.form, default: setting.standard, "\(setting)")
    }

    private mutating func read<Value>(
        _ form: SettingForm<Value>, default standard: Value, _ documented: String
    ) -> Value {
        func note(_ shown: String, _ origin: SettingOrigin) {
            settings.append(
                ReadSetting(variable: form.variable, shown: shown, origin: origin, standard: documented))
        }
        let origin: SettingOrigin
        let text: String
        if let flag = form.text {
            (text, origin) = (flag, .flag)
        } else if let value = environment[form.variable], !value.isEmpty {
            (text, origin) = (value, .variable)
        } else {
            note(form.show(standard), .standard)
            return standard
        }
        guard let value = form.read(text, workingDirectory) else {
            invalid.append(
                InvalidSetting(
                    variable: form.variable, origin: origin, expected: form.expected,
                    value: form.isSecret ? nil : text))
            return standard
        }
        note(form.show(value), origin)
        return value
    }
}
