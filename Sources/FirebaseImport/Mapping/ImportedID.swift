import Cryptography
import Postgres

/// Derives the id of an imported object from its creation time and its old id, so that a repeated import gives the
/// object the same id.
enum ImportedID {
    static func of(_ oldID: String, kind: String, source: String, createdAt: Timestamp) -> UUID {
        let digest = SHA256.digest(of: "\(source)\u{0}\(kind)\u{0}\(oldID)").bytes
        let words = (0..<2).map { word in
            digest[word * 8..<word * 8 + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        }
        return .v7(now: createdAt.unixMilliseconds, random: (words[0], words[1]))
    }
}
