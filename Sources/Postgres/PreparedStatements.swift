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
        /// The statement is to be run without preparing it: the connection has `limit` statements, or another one with
        /// the same hash.
        case full
    }

    static let limit = 512
    private var statements: [UInt64: PreparedStatement] = [:]
    private var number = 0
    /// The number of statements on the server; more than in `statements` when some were forgotten.
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

    /// Removes a statement whose preparation failed.
    mutating func failed(_ statement: PreparedStatement) {
        guard let index = statements.firstIndex(where: { $0.value === statement }) else { return }
        statements.remove(at: index)
        count -= 1
    }

    /// Makes the next look-up prepare the statement again, because the server has lost it or its result type has
    /// changed.
    mutating func forget(_ sql: SQL) { statements[sql.identity] = nil }
}
