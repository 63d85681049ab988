import Foundation

/// The signed addresses that this run has read. They are in memory only: a signature expires, and whoever has a
/// signed address sees the picture. The store has each address without its query.
final class SignedAddresses: @unchecked Sendable {
    private let lock = NSLock()
    private let limit: Int
    /// Whole addresses, by the addresses without their queries.
    private var newest: [String: String] = [:]
    /// The contents of `newest` when it was full the last time, less the addresses that were kept anew since.
    private var older: [String: String] = [:]

    /// - Parameter limit: the least number of addresses that are kept when the oldest are forgotten.
    init(limit: Int = 4096) { self.limit = limit }

    /// Remembers a whole address. An address without a query takes the place of a signed one.
    ///
    /// - Returns: whether readers of the address get another value now.
    func keep(_ whole: String) -> Bool {
        let bare = Self.bare(whole)
        return lock.withLock {
            let before = newest[bare] ?? older[bare] ?? bare
            older[bare] = nil
            newest[bare] = whole == bare ? nil : whole
            if newest.count >= limit {
                older = newest
                newest = [:]
            }
            return before != whole
        }
    }

    /// The address as it was read last in this run; without its query where it was not read, or was forgotten.
    func whole(_ bare: String) -> String { lock.withLock { newest[bare] ?? older[bare] ?? bare } }

    /// The address without its query.
    /// Source: RFC 3986, section 3
    static func bare(_ address: String) -> String {
        String(String.UnicodeScalarView(address.unicodeScalars.prefix { $0 != "?" }))
    }

    /// The key by which observers are told that an address has another query.
    static func changeKey(of bare: String) -> String { "address:" + bare }
}
