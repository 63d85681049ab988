import ArgumentParser
import SystemPackage

/// A setting, declared once: its variable and flag, its form and default, and its help. `SettingFlags` lists them.
struct Setting<Value: Sendable>: Sendable {
    var form: SettingForm<Value>
    let standard: Value

    init(_ form: SettingForm<Value>, default standard: Value) { (self.form, self.standard) = (form, standard) }
}

/// A setting whose default follows from other settings or from the machine. The code that reads the setting gives the
/// default.
struct DerivedSetting<Value: Sendable>: Sendable {
    var form: SettingForm<Value>
    /// The default, in words for the help.
    let standard: String

    init(_ form: SettingForm<Value>, default standard: String) { (self.form, self.standard) = (form, standard) }
}

/// The name of a setting, and the form of its values.
struct SettingForm<Value: Sendable>: Sendable {
    let variable: String
    let help: String
    /// The usable values, for the message about an unusable one: "a port number from 0 to 65535".
    let expected: String
    /// True if a value may hold a password; no message quotes such a value.
    let isSecret: Bool
    /// The text of a value, with secrets masked.
    let show: @Sendable (Value) -> String
    /// The value of a text; nil for a text that cannot be used. A relative path begins at `workingDirectory`.
    let read: @Sendable (_ text: String, _ workingDirectory: FilePath) -> Value?
    /// The flag's value; nil where the flag is not given.
    var text: String?

    init(
        _ variable: String, _ help: String, expected: String, isSecret: Bool = false,
        show: @escaping @Sendable (Value) -> String, read: @escaping @Sendable (String, FilePath) -> Value?
    ) {
        (self.variable, self.help, self.expected, self.isSecret) = (variable, help, expected, isSecret)
        (self.show, self.read) = (show, read)
    }

    var flag: String { SettingOrigin.flagName(of: variable) }

    var argumentName: NameSpecification { .customLong(String(flag.dropFirst(2))) }

    func argumentHelp(default standard: String) -> ArgumentHelp {
        standard.isEmpty ? ArgumentHelp(help) : ArgumentHelp("\(help) (default: \(standard))")
    }

    func given(_ text: String) -> SettingForm {
        var form = self
        form.text = text
        return form
    }
}

// MARK: - Forms of values

extension SettingForm<Int> {
    /// - Parameters:
    ///   - noun: what is expected: "a port number".
    ///   - unit: the factor by which a number is multiplied when it is read.
    static func number(
        _ variable: String, _ bounds: ClosedRange<Int>, of noun: String = "a number", unit: Int = 1, _ help: String
    ) -> SettingForm {
        SettingForm(
            variable, help, expected: "\(noun) from \(bounds.lowerBound) to \(bounds.upperBound)",
            show: { "\($0 / unit)" }, read: { text, _ in Int(text).flatMap { bounds ~= $0 ? $0 * unit : nil } })
    }
}

extension SettingForm<Duration> {
    /// - Parameter bounds: in seconds.
    static func seconds(_ variable: String, _ bounds: ClosedRange<Int>, _ help: String) -> SettingForm {
        SettingForm(
            variable, help, expected: "a number of seconds from \(bounds.lowerBound) to \(bounds.upperBound)",
            show: { "\($0.components.seconds)" },
            read: { text, _ in Int(text).flatMap { bounds ~= $0 ? .seconds($0) : nil } })
    }
}

extension SettingForm<Bool> {
    static func boolean(_ variable: String, _ help: String) -> SettingForm {
        SettingForm(
            variable, help, expected: "true or false", show: { "\($0)" }, read: { text, _ in Bool(text.lowercased()) })
    }
}

extension SettingForm<String> {
    static func text(_ variable: String, expected: String, _ help: String) -> SettingForm {
        SettingForm(variable, help, expected: expected, show: { $0 }, read: { text, _ in text.isEmpty ? nil : text })
    }
}

extension SettingForm<FilePath> {
    /// Makes a path absolute, so that it means the same in every process.
    static func path(_ variable: String, expected: String, _ help: String) -> SettingForm {
        SettingForm(
            variable, help, expected: expected, show: \.string,
            read: { text, directory in
                text.isEmpty ? nil : directory.pushing(FilePath(text)).lexicallyNormalized()
            })
    }
}

extension SettingForm where Value: RawRepresentable<String> {
    static func choice(_ variable: String, expected: String, _ help: String) -> SettingForm {
        SettingForm(
            variable, help, expected: expected, show: \.rawValue,
            read: { text, _ in Value(rawValue: text.lowercased()) })
    }
}

extension SettingForm {
    /// The form of a setting that may have no value.
    /// - Parameter unset: the text that stands for no value.
    func optional(unset: String) -> SettingForm<Value?> {
        SettingForm<Value?>(
            variable, help, expected: expected, isSecret: isSecret, show: { [show] in $0.map(show) ?? unset },
            read: { [read] text, directory in read(text, directory).map(Optional.some) })
    }
}

// MARK: - Flags

extension Option {
    init<T>(_ form: SettingForm<T>, default standard: T) where Value == Setting<T> {
        let setting = Setting(form, default: standard)
        self.init(wrappedValue: setting, name: form.argumentName, help: form.argumentHelp(default: "\(setting)")) {
            Setting(form.given($0), default: standard)
        }
    }

    init<T>(_ form: SettingForm<T>, derived standard: String) where Value == DerivedSetting<T> {
        let setting = DerivedSetting(form, default: standard)
        self.init(wrappedValue: setting, name: form.argumentName, help: form.argumentHelp(default: standard)) {
            DerivedSetting(form.given($0), default: standard)
        }
    }
}

extension Flag<Bool> {
    /// The flag turns the setting on; the variable may also turn it off.
    init(_ setting: Setting<Bool>) {
        self.init(
            wrappedValue: false, name: setting.form.argumentName, help: ArgumentHelp(setting.form.help))
    }
}

/// The default, as the help of the flag and README have it.
extension Setting: CustomStringConvertible {
    var description: String { form.show(standard) }
}

extension DerivedSetting: CustomStringConvertible {
    var description: String { standard }
}
