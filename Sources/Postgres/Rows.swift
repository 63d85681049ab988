import CLibpq

/// The rows of one statement's result. A row is read by decoding alone, which throws if a column is not what the program
/// reads.
public struct Rows: Sendable {
    /// The statement that gave the rows, which an error names.
    @usableFromInline
    enum Origin: Sendable {
        /// A statement of a segment, counted from 0.
        case segment(Request, statement: Int)
        /// The text of a statement on a connection outside of any pool.
        case text(String)
    }

    @usableFromInline let result: QueryResult
    @usableFromInline let origin: Origin
    public let count: Int

    @usableFromInline
    init(_ result: QueryResult, from origin: Origin) {
        self.result = result
        self.origin = origin
        count = result.rowCount
    }

    public var isEmpty: Bool { count == 0 }

    /// The number of rows that an insert, update or delete affected, or that a select returned.
    public var affected: Int { result.affected }

    @inlinable
    public func decoded<S: Statement>(by statement: S) throws -> [S.Output] { try decoded { try statement.decode($0) } }

    /// Throws `PostgresError.column`, or the error of `decode`.
    @inlinable
    public func decoded<R>(_ decode: (Row) throws -> R) throws -> [R] {
        try checked {
            var outputs: [R] = []
            outputs.reserveCapacity(count)
            for index in 0..<count { outputs.append(try decode(row(index))) }
            return outputs
        }
    }

    /// The first row; nil if there is none. Throws as `decoded` does.
    @inlinable
    public func first<R>(_ decode: (Row) throws -> R) throws -> R? {
        try checked { count == 0 ? nil : try decode(row(0)) }
    }

    /// Runs `read`, and throws a mismatch of the result in place of the error of `read` that it may have caused.
    @inlinable
    func checked<R>(_ read: () throws -> R) throws -> R {
        let value: R
        do { value = try read() } catch { throw result.isMismatched ? mismatch() : error }
        if result.isMismatched { throw mismatch() }
        assert(endDecoding())
        return value
    }

    @inlinable
    func row(_ index: Int) -> Row { Row(result: result, index: Int32(truncatingIfNeeded: index)) }

    /// A row outside of any decoding. A mismatch of its columns throws no error.
    @_spi(Testing) public func row(at position: Int) -> Row {
        precondition(position >= 0 && position < count, "no such row")
        return row(position)
    }

    @usableFromInline
    func endDecoding() -> Bool {
        result.decodingEnded()
        return true
    }

    @usableFromInline
    func mismatch() -> any Error {
        guard let mismatch = result.firstMismatch else { return PostgresError.unavailable }
        return PostgresError.column(origin.noted(mismatch, of: result))
    }
}

extension Rows.Origin {
    /// The error of a column. The pool's list of faults is told of a column of another type.
    fileprivate func noted(_ mismatch: QueryResult.Mismatch, of result: QueryResult) -> ColumnError {
        func error(_ statement: String) -> ColumnError {
            ColumnError(
                statement: statement, column: result.name(of: mismatch.column) ?? "\(mismatch.column + 1)",
                expected: mismatch.expected, found: mismatch.isNull ? nil : result.type(of: mismatch.column))
        }
        switch self {
        case .text(let text): return error(text)
        case .segment(let request, let index):
            let error = error(request.name)
            if !mismatch.isNull, let sql = request.statement(index) {
                request.columnFaults?.note(ColumnFaults.Fault(error, of: sql, column: mismatch.column))
            }
            return error
        }
    }
}
