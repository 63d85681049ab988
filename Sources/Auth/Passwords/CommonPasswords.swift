/// Passwords that everybody tries first: more than 10,000 that are known from breaches, of eight characters or more
/// (shorter ones are refused by their length), and by rule what only repeats or counts on.
///
/// Source: the frequency list of zxcvbn (its licence stands beside the list), and additions of our own.
enum CommonPasswords {
    /// - Parameter password: in NFC and lower case.
    static func contains(_ password: String) -> Bool {
        isRepetition(password) || isSequence(password) || isListed(password)
    }

    /// One to four characters over and over.
    private static func isRepetition(_ password: String) -> Bool {
        let scalars = Array(password.unicodeScalars)
        return (1...4).contains { period in
            scalars.count > period
                && scalars.indices.dropFirst(period).allSatisfy { scalars[$0] == scalars[$0 - period] }
        }
    }

    /// Runs of the alphabet, of digits or of a keyboard's row, either way.
    private static func isSequence(_ password: String) -> Bool {
        sequences.contains { $0.contains(password) }
    }

    private static let sequences: [String] = [
        "abcdefghijklmnopqrstuvwxyz", "01234567890123456789", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./",
        "qwertzuiopü", "azertyuiop", "qsdfghjklm", "`1234567890-=", "!@#$%^&*()_+", "qwertyuiopasdfghjklzxcvbnm",
    ].flatMap { [$0, String($0.reversed())] }

    /// The lines are sorted by their bytes.
    private static func isListed(_ password: String) -> Bool {
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
