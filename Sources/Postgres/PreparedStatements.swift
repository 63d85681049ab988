/// A statement that a connection has prepared or is about to prepare.
final class PreparedStatement {
    let fragments: [SQL.Fragment]
    /// With a zero at its end.
    let name: [UInt8]
    /// The types of the columns, known once the server has described the statement.
    var columns: [UInt32] = []

    init(fragments: [SQL.Fragment], number: Int) {
        self.fragments = fragments
        name = Array("s\(number)".utf8) + [0]
    }
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
