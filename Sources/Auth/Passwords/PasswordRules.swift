/// The reason for refusing a password at sign-up or change.
public enum PasswordProblem: Error, Equatable, Sendable {
    case missing
    /// Fewer code points than `minimum`, after NFC.
    case tooShort(minimum: Int)
    /// More code points than `maximum`, after NFC, or more than 4,096 bytes.
    case tooLong(maximum: Int)
    case containsUsername
    /// The password contains the e-mail address, or its part before the @.
    case containsAddress
    /// One to four characters, repeated.
    case repetition
    /// A run of the alphabet, of digits or of a keyboard's row, forwards or backwards.
    case sequence
    /// The password is on the list of `CommonPasswords`.
    case common
}

/// The rules of NIST SP 800-63B, section 5.1.1.2: limits of length and a list of known passwords, but no composition
/// rules.
public struct PasswordRules: Sendable {
    /// In code points, after NFC.
    public let minimumLength: Int
    /// In code points, after NFC.
    public let maximumLength: Int

    public init(minimumLength: Int = 8, maximumLength: Int = 128) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
    }

    /// The first problem, or nil. Comparisons ignore case.
    public func problem(with password: String, username: String? = nil, email: String? = nil) -> PasswordProblem? {
        guard password.utf8.count <= PasswordHasher.maximumByteCount else { return .tooLong(maximum: maximumLength) }
        let normalized = NormalizationFormC.normalize(password)
        let length = normalized.unicodeScalars.count
        if length == 0 { return .missing }
        if length < minimumLength { return .tooShort(minimum: minimumLength) }
        if length > maximumLength { return .tooLong(maximum: maximumLength) }
        let folded = normalized.lowercased()
        if let username, contains(folded, username) { return .containsUsername }
        if let email, contains(folded, email) || contains(folded, email.prefix { $0 != "@" }) {
            return .containsAddress
        }
        if Self.isRepetition(folded) { return .repetition }
        if Self.isSequence(folded) { return .sequence }
        if CommonPasswords.contains(folded) { return .common }
        return nil
    }

    /// Names of one or two letters are not looked for: too many good passwords contain them.
    private func contains(_ password: String, _ name: some StringProtocol) -> Bool {
        let folded = NormalizationFormC.normalize(String(name)).lowercased()
        return folded.unicodeScalars.count > 2 && password.contains(folded)
    }

    /// A repetition is refused however long it is, because programs that guess passwords try repetitions of all
    /// lengths.
    private static func isRepetition(_ password: String) -> Bool {
        let scalars = Array(password.unicodeScalars)
        return (1...4).contains { period in
            scalars.count > period
                && scalars.indices.dropFirst(period).allSatisfy { scalars[$0] == scalars[$0 - period] }
        }
    }

    private static func isSequence(_ password: String) -> Bool { sequences.contains { $0.contains(password) } }

    private static let sequences: [String] = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890123456789", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./",
        "qwertzuiopü", "azertyuiop", "qsdfghjklm", "`1234567890-=", "!@#$%^&*()_+", "qwertyuiopasdfghjklzxcvbnm",
    ].flatMap { [$0, String($0.reversed())] }
}
