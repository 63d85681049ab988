/// A setting whose value cannot be used. The value itself stays out of the message where it may be a secret.
struct InvalidSetting: Error, Equatable, CustomStringConvertible {
    let variable: String
    let origin: SettingOrigin
    let expected: String
    /// Nil when it may hold a secret.
    let value: String?

    var description: String {
        let name = origin == .flag ? SettingOrigin.flagName(of: variable) : variable
        return "\(name): \(expected) is expected" + (value.map { ", not \"\($0)\"." } ?? ".")
    }
}

/// All settings that cannot be used, so that one run reports them together.
struct InvalidConfiguration: Error, Equatable, CustomStringConvertible {
    let settings: [InvalidSetting]

    var description: String { settings.map(\.description).joined(separator: "\n") }
}
