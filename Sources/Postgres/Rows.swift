import CLibpq

/// The rows of one statement's result.
public struct Rows: Sendable, RandomAccessCollection {
    @usableFromInline let result: QueryResult
    public let count: Int

    @inlinable
    init(_ result: QueryResult) {
        self.result = result
        count = Int(PQntuples(result.pointer))
    }

    @inlinable
    public var startIndex: Int { 0 }
    @inlinable
    public var endIndex: Int { count }

    @inlinable
    public subscript(position: Int) -> Row {
        precondition(position >= 0 && position < count, "no such row")
        return Row(result: result, index: Int32(truncatingIfNeeded: position))
    }

    /// The number of rows that an insert, update or delete affected, or that a select returned.
    public var affected: Int {
        guard let text = PQcmdTuples(result.pointer) else { return 0 }
        return Int(String(cString: text)) ?? 0
    }

    /// True for the answer to a `commit` that rolled back, since a statement of the transaction had failed.
    var isOfRollback: Bool { PQcmdStatus(result.pointer).map { String(cString: $0) } == "ROLLBACK" }

    @inlinable
    public func decoded<S: Statement>(by statement: S) throws -> [S.Output] {
        var outputs: [S.Output] = []
        outputs.reserveCapacity(count)
        for index in 0..<count {
            outputs.append(try statement.decode(Row(result: result, index: Int32(truncatingIfNeeded: index))))
        }
        return outputs
    }
}
