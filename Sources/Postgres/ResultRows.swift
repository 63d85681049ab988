/// The rows of a statement whose answer is being read. Its memory is used again for the next statement.
struct ResultRows {
    /// The largest number of bytes whose memory is kept for the next statement.
    private static let keptBytes = 1 << 18

    private var cells: [QueryResult.Cell] = []
    private var bytes: [UInt8] = []
    private var columns = 0

    /// Appends the body of a DataRow.
    /// - Returns: false where the body is malformed, or the rows are longer than 4 GiB together.
    mutating func append(_ body: UnsafeRawBufferPointer) -> Bool {
        guard body.count >= 2, bytes.count + body.count <= Int(UInt32.max) else { return false }
        let count = Int(UInt16(bigEndian: body.loadUnaligned(as: UInt16.self)))
        if cells.isEmpty { columns = count }
        guard count == columns else { return false }
        let start = bytes.count
        bytes.append(contentsOf: body)
        var offset = 2
        for _ in 0..<count {
            guard offset + 4 <= body.count else { return false }
            let length = Int32(bigEndian: body.loadUnaligned(fromByteOffset: offset, as: Int32.self))
            offset += 4
            guard length >= -1, offset + Int(max(0, length)) <= body.count else { return false }
            cells.append(QueryResult.Cell(offset: UInt32(truncatingIfNeeded: start + offset), length: length))
            offset += Int(max(0, length))
        }
        return true
    }

    /// Returns the result, and begins the next.
    mutating func finish(types: [UInt32], affected: Int) -> QueryResult {
        let result = cells.withUnsafeBufferPointer { cells in
            bytes.withUnsafeBytes { bytes in
                QueryResult(
                    columns: cells.isEmpty ? 0 : columns, types: types, affected: affected, cells: cells, bytes: bytes)
            }
        }
        removeAll()
        return result
    }

    mutating func removeAll() {
        let keepsCapacity = bytes.capacity <= ResultRows.keptBytes
        cells.removeAll(keepingCapacity: keepsCapacity)
        bytes.removeAll(keepingCapacity: keepsCapacity)
    }
}
