/// A statement that a connection has prepared or is about to prepare.
final class PreparedStatement {
    let fragments: [SQL.Fragment]
    let name: UnsafeMutablePointer<CChar>

    init(fragments: [SQL.Fragment], number: Int) {
        self.fragments = fragments
        let bytes = "s\(number)".utf8CString
        name = .allocate(capacity: bytes.count)
        for (offset, byte) in bytes.enumerated() { name[offset] = byte }
    }

    deinit { name.deallocate() }
}

/// The prepared statements of one connection, under names that are never used twice.
struct PreparedStatements {
    enum Lookup {
        case prepared(PreparedStatement)
        case new(PreparedStatement)
        /// The statement is to be run without preparing it. The connection has `limit` statements already, or another
        /// statement with the same hash.
        case full
    }

    static let limit = 512
    private var statements: [UInt64: PreparedStatement] = [:]
    private var number = 0
    /// The number of statements that are prepared on the server. A forgotten statement is still counted unless the
    /// server has lost it, so the number may be greater than the count of `statements`.
    private(set) var count = 0

    mutating func look(up sql: SQL) -> Lookup {
        if let statement = statements[sql.identity] {
            return statement.fragments == sql.fragments ? .prepared(statement) : .full
        }
        guard count < PreparedStatements.limit else { return .full }
        number += 1
        count += 1
        let statement = PreparedStatement(fragments: sql.fragments, number: number)
        statements[sql.identity] = statement
        return .new(statement)
    }

    /// Removes a statement that the server does not have: its preparation failed, or the server has lost it. The next
    /// look-up prepares it again.
    mutating func lost(_ statement: PreparedStatement) { if forget(statement) { count -= 1 } }

    /// Makes the next look-up prepare the statement again. A statement that was prepared anew meanwhile, for the same
    /// SQL, stays.
    /// - Returns: false where the statement was forgotten before.
    @discardableResult
    mutating func forget(_ statement: PreparedStatement) -> Bool {
        guard let index = statements.firstIndex(where: { $0.value === statement }) else { return false }
        statements.remove(at: index)
        return true
    }
}
