/// An invalid setting. The message leaves out a value that may be a secret.
struct InvalidSetting: Error, Equatable, CustomStringConvertible {
    let variable: String
    let origin: SettingOrigin
    let expected: String
    /// nil if the value may be a secret.
    let value: String?

    var description: String {
        let name = origin == .flag ? SettingOrigin.flagName(of: variable) : variable
        return "\(name): \(expected) is expected" + (value.map { ", not \"\($0)\"." } ?? ".")
    }
}

/// All invalid settings, so that one run reports them together.
struct InvalidConfiguration: Error, Equatable, CustomStringConvertible {
    let settings: [InvalidSetting]

    var description: String { settings.map(\.description).joined(separator: "\n") }
}
