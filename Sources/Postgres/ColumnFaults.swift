import Synchronization

/// The columns that had another type than the program reads, until they are found to be right again.
public final class ColumnFaults: Sendable {
    struct Fault {
        let error: ColumnError
        let text: String
        let parameterTypes: [UInt32]
        /// Counted from 0.
        let column: Int

        init(_ error: ColumnError, of sql: SQL, column: Int) {
            self.error = error
            text = sql.text
            parameterTypes = sql.parameters.map(\.oid)
            self.column = column
        }

        /// Statements of one name can have several texts.
        func isSame(as other: Fault) -> Bool { error == other.error && text == other.text }
    }

    /// The greatest number of faults that are kept. A log and `/readyz` need no more to say what is wrong.
    private static let limit = 16

    private let faults = Mutex<[Fault]>([])

    public init() {}

    /// The first of the faults that are left.
    public var first: ColumnError? { faults.withLock { $0.first?.error } }

    func note(_ fault: Fault) {
        faults.withLock { faults in
            guard faults.count < Self.limit, !faults.contains(where: { $0.isSame(as: fault) }) else { return }
            faults.append(fault)
        }
    }

    /// Describes a statement, and notes its columns of another type than expected.
    /// - Parameter types: of the statement's first columns.
    /// - Throws: `PostgresError` where the statement cannot be prepared or the connection is lost.
    public func check<S: Statement>(
        _ statement: S, _ types: [ColumnType], on connection: DedicatedConnection
    ) async throws {
        let sql = statement.sql
        let columns = try await connection.columns(of: sql.text, parameterTypes: sql.parameters.map(\.oid))
        for (index, expected) in types.enumerated() {
            let found = index < columns.count ? columns[index] : (name: "\(index + 1)", type: 0)
            if expected.isForm(of: found.type) { continue }
            let error = ColumnError(statement: "\(S.self)", column: found.name, expected: expected, found: found.type)
            note(Fault(error, of: sql, column: index))
        }
    }

    /// Describes the statements with faults again, and forgets each fault whose column has the expected type by now. A
    /// statement that cannot be prepared keeps its fault.
    /// - Returns: whether a fault was forgotten.
    /// - Throws: `PostgresError` where a table is locked for longer than the connection waits, or the connection is lost.
    public func recheck(on connection: DedicatedConnection) async throws -> Bool {
        var isForgotten = false
        for fault in faults.withLock({ $0 }) {
            do {
                let columns = try await connection.columns(of: fault.text, parameterTypes: fault.parameterTypes)
                guard fault.column < columns.count, fault.error.expected.isForm(of: columns[fault.column].type) else {
                    continue
                }
                faults.withLock { $0.removeAll { $0.isSame(as: fault) } }
                isForgotten = true
            } catch let error as PostgresError where error.server != nil && !error.isServerTimeout {
                continue
            }
        }
        return isForgotten
    }
}
