/// The most common passwords: more than 10,000 known from breaches, of eight characters or more (`PasswordRules`
/// refuses shorter ones by their length).
///
/// Source: the frequency list of zxcvbn (its licence stands beside the list), and additions of our own.
enum CommonPasswords {
    /// A binary search: the list's lines are sorted by their bytes.
    /// - Parameter password: in NFC and lower case.
    static func contains(_ password: String) -> Bool {
        let bytes = Array(password.utf8)
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            let start = (list[..<middle].lastIndex(of: lineFeed) ?? -1) + 1
            guard let end = list[middle...].firstIndex(of: lineFeed) else { return false }
            let line = list[start..<end]
            if line.elementsEqual(bytes) { return true }
            if line.lexicographicallyPrecedes(bytes) { low = end + 1 } else { high = start }
        }
        return false
    }

    static let list = PackageResources.common_passwords_txt
    private static let lineFeed = UInt8(ascii: "\n")
}
