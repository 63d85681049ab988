import CLibpq

/// Sends the data of a `copy … from stdin` in pieces of about 64 KiB.
public struct CopyWriter: ~Copyable {
    private let libpq: OpaquePointer
    private var bytes = ParameterBytes()
    private var isBinary = false

    init(_ libpq: OpaquePointer) { self.libpq = libpq }

    /// Appends the bytes of the text unchanged, in the format that the statement names.
    public mutating func write(_ text: String) throws {
        bytes.append(utf8: text)
        try flushIfFull()
    }

    /// Begins a row of `(format binary)`. PostgreSQL's manual, COPY, "Binary Format".
    public mutating func beginRow(columns: Int) throws {
        if !isBinary {
            isBinary = true
            bytes.append(Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00])
            bytes.append(0 as Int64)
        }
        try flushIfFull()
        bytes.append(Int16(truncatingIfNeeded: columns))
    }

    /// Appends a column of a binary row. The value's type must be exactly the column's.
    public mutating func write(column value: (some PostgresEncodable)?) {
        guard let value else {
            bytes.append(-1 as Int32)
            return
        }
        let position = bytes.storage.count
        bytes.append(0 as Int32)
        value.encode(into: &bytes)
        bytes.patch(size: bytes.storage.count - position - 4, at: position)
    }

    /// Appends a `bytea` column of a binary row.
    public mutating func write(column value: [UInt8]) {
        bytes.append(Int32(truncatingIfNeeded: value.count))
        bytes.append(value)
    }

    mutating func flush() throws {
        if isBinary { bytes.append(-1 as Int16) }
        try send()
    }

    private mutating func flushIfFull() throws {
        if bytes.storage.count >= 65536 { try send() }
    }

    private mutating func send() throws {
        let sent = bytes.storage.withUnsafeBytes { buffer in
            PQputCopyData(
                libpq, buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(truncatingIfNeeded: buffer.count))
        }
        guard sent == 1 else { throw PostgresError.connectionLost(outcomeUnknown: true) }
        bytes.storage.removeAll(keepingCapacity: true)
    }
}
