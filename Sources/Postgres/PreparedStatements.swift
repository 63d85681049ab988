/// A statement that a connection has prepared or is about to.
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
        /// The connection has as many as it may: run it without preparing.
        case full
    }

    static let limit = 512
    private var statements: [UInt64: PreparedStatement] = [:]
    private var number = 0
    /// On the server; more than `statements` when some were forgotten.
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

    /// The server does not have it: preparing it failed.
    mutating func failed(_ statement: PreparedStatement) {
        guard let index = statements.firstIndex(where: { $0.value === statement }) else { return }
        statements.remove(at: index)
        count -= 1
    }

    /// Prepare it afresh the next time: the server has lost it, or its result type has changed.
    mutating func forget(_ sql: SQL) { statements[sql.identity] = nil }
}
