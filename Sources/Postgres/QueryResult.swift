import CLibpq
import Synchronization

/// The owner of one libpq result, and what is known of its columns. A finished PGresult is immutable, so tasks may share
/// it.
@usableFromInline
final class QueryResult: @unchecked Sendable {
    @usableFromInline let pointer: OpaquePointer
    /// A bit for each of the first 63 columns whose type was found to be the one that it is read as.
    @usableFromInline let verified = Atomic<UInt64>(0)
    /// The first column that cannot be read, as a `Mismatch`; 0 if there is none.
    private let mismatch = Atomic<UInt64>(0)

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { PQclear(pointer) }

    /// A column of another type than it is read as, or with a NULL that an accessor which is not optional reads.
    struct Mismatch {
        /// Counted from 0.
        let column: Int
        let expected: ColumnType
        /// False for a column of another type.
        let isNull: Bool
    }

    @inlinable
    func isVerified(_ column: Int) -> Bool {
        column < 63 && verified.load(ordering: .relaxed) & (1 << UInt64(truncatingIfNeeded: column)) != 0
    }

    @inlinable
    func areVerified(_ columns: Range<Int>) -> Bool {
        guard columns.upperBound <= 63 else { return false }
        let bits = UInt64.max >> UInt64(64 - columns.upperBound) & UInt64.max << UInt64(columns.lowerBound)
        return verified.load(ordering: .relaxed) & bits == bits
    }

    /// Compares a column's type with the one that it is read as. A difference makes the decoding of the result fail.
    /// - Returns: true if the column can be read.
    @usableFromInline
    func verify(_ column: Int, _ expected: ColumnType) -> Bool {
        assert(!isDecoded, "column \(column) is read after decoding, but is none of the columns that its object reads")
        guard expected.isForm(of: type(of: column)) else {
            note(Mismatch(column: column, expected: expected, isNull: false))
            return false
        }
        if column < 63 { verified.bitwiseOr(1 << UInt64(truncatingIfNeeded: column), ordering: .relaxed) }
        return true
    }

    /// Notes a NULL that an accessor which is not optional reads. It makes the decoding of the result fail.
    @usableFromInline
    func noteNull(_ column: Int, _ expected: ColumnType) {
        assert(!isDecoded, "column \(column) is NULL, but is read as one that is not")
        note(Mismatch(column: column, expected: expected, isNull: true))
    }

    /// True if the column has the type, or if a mismatch makes the decoding fail anyway. Assertions use it.
    @usableFromInline
    func hasType(_ column: Int, _ expected: ColumnType) -> Bool {
        isMismatched || expected.isForm(of: type(of: column))
    }

    @usableFromInline var rowCount: Int { Int(PQntuples(pointer)) }

    /// The number of rows that an insert, update or delete affected, or that a select returned.
    var affected: Int { PQcmdTuples(pointer).flatMap { Int(String(cString: $0)) } ?? 0 }

    /// The OID of a column's type; 0 for a column that does not exist.
    func type(of column: Int) -> UInt32 { PQftype(pointer, Int32(truncatingIfNeeded: column)) }

    func name(of column: Int) -> String? {
        PQfname(pointer, Int32(truncatingIfNeeded: column)).map { String(cString: $0) }
    }

    // MARK: The mismatch

    @usableFromInline var isMismatched: Bool { mismatch.load(ordering: .relaxed) != 0 }

    var firstMismatch: Mismatch? {
        let word = mismatch.load(ordering: .relaxed)
        guard word != 0, let expected = ColumnType(rawValue: UInt8(truncatingIfNeeded: word >> 8)) else { return nil }
        return Mismatch(column: Int(word >> 16) - 1, expected: expected, isNull: word & 1 != 0)
    }

    private func note(_ found: Mismatch) {
        let word =
            UInt64(truncatingIfNeeded: found.column + 1) << 16 | UInt64(found.expected.rawValue) << 8
            | (found.isNull ? 1 : 0)
        _ = mismatch.compareExchange(expected: 0, desired: word, ordering: .relaxed)
    }

    // MARK: The end of decoding

    private static let decodedBit: UInt64 = 1 << 63

    /// True once the decoding has ended. Objects then read columns that have been verified, and no others. Release builds do not
    /// note the end, and give false.
    private var isDecoded: Bool { verified.load(ordering: .relaxed) & Self.decodedBit != 0 }

    @usableFromInline
    func decodingEnded() { verified.bitwiseOr(Self.decodedBit, ordering: .relaxed) }
}
