import CLibpq

/// The result of one statement. It is immutable, so tasks may share it.
///
/// The values are in one block of memory: first the cells, row by row, then the rows as the server sent them.
@usableFromInline
final class QueryResult: @unchecked Sendable {
    /// The place of a value.
    @usableFromInline
    struct Cell {
        @usableFromInline let offset: UInt32
        /// The value's length in bytes; -1 for NULL.
        @usableFromInline let length: Int32
    }

    @usableFromInline let rows: Int
    @usableFromInline let columns: Int
    /// The types of the columns; empty where the result has no columns.
    @usableFromInline let types: [UInt32]
    /// The number of rows that an insert, update or delete affected, or that a select returned.
    let affected: Int
    @usableFromInline let cells: UnsafePointer<Cell>?
    @usableFromInline let bytes: UnsafeRawPointer?
    private let block: UnsafeMutableRawPointer?

    /// Copies the cells and the bytes that they refer to.
    init(
        columns: Int, types: [UInt32], affected: Int, cells: UnsafeBufferPointer<Cell>, bytes: UnsafeRawBufferPointer
    ) {
        self.columns = columns
        self.types = types
        self.affected = affected
        rows = columns == 0 ? 0 : cells.count / columns
        guard let firstCell = cells.baseAddress, !cells.isEmpty else {
            (self.cells, self.bytes, block) = (nil, nil, nil)
            return
        }
        let size = cells.count * MemoryLayout<Cell>.stride
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: size + bytes.count, alignment: MemoryLayout<Cell>.alignment)
        block.copyMemory(from: firstCell, byteCount: size)
        if let first = bytes.baseAddress { (block + size).copyMemory(from: first, byteCount: bytes.count) }
        self.block = block
        self.cells = UnsafePointer(block.assumingMemoryBound(to: Cell.self))
        self.bytes = UnsafeRawPointer(block + size)
    }

    deinit { block?.deallocate() }

    /// nil for a cell that the result does not have.
    @inlinable
    func cell(_ row: Int32, _ column: Int) -> Cell? {
        guard let cells, column >= 0, column < columns else { return nil }
        return cells[Int(row) * columns + column]
    }

    /// The bytes of a value; none for NULL.
    @inlinable
    func value(_ row: Int32, _ column: Int) -> UnsafeRawBufferPointer {
        guard let cell = cell(row, column), cell.length >= 0, let bytes else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: bytes + Int(cell.offset), count: Int(cell.length))
    }
}

extension QueryResult {
    /// Copies a result of libpq and frees it.
    static func consuming(_ result: OpaquePointer) -> QueryResult {
        defer { PQclear(result) }
        let columns = PQnfields(result)
        var cells: [Cell] = []
        var bytes: [UInt8] = []
        for row in 0..<PQntuples(result) {
            for column in 0..<columns {
                let value = UnsafeRawBufferPointer(
                    start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
                let isNull = PQgetisnull(result, row, column) != 0
                cells.append(
                    Cell(
                        offset: UInt32(truncatingIfNeeded: bytes.count),
                        length: isNull ? -1 : Int32(truncatingIfNeeded: value.count)))
                bytes.append(contentsOf: value)
            }
        }
        let affected = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        return cells.withUnsafeBufferPointer { cells in
            bytes.withUnsafeBytes { bytes in
                QueryResult(
                    columns: Int(columns), types: (0..<columns).map { PQftype(result, $0) }, affected: affected,
                    cells: cells, bytes: bytes)
            }
        }
    }
}
