import NIOCore

/// Messages to the server that wait to be written.
///
/// PostgreSQL's manual, "Message Formats". All values and results are in binary form.
struct FrontendMessages {
    private(set) var bytes = ByteBuffer()

    var isEmpty: Bool { bytes.readableBytes == 0 }

    /// The largest number of bytes whose memory is kept for later messages.
    private static let keptBytes = 1 << 16

    /// Called after the bytes were handed on. Their memory is used again unless someone else still holds it.
    mutating func removeAll() {
        if bytes.capacity > FrontendMessages.keptBytes { bytes = ByteBuffer() } else { bytes.clear() }
    }

    /// Prepares a statement, and asks for the types of its columns.
    mutating func prepare(_ statement: PreparedStatement, _ sql: SQL) {
        parse(statement.name, sql)
        message("D", size: 1 + statement.name.count) {
            $0.put(UInt8(ascii: "S"))
            $0.put(statement.name)
        }
    }

    /// Runs a statement that is prepared, or is about to be.
    mutating func execute(_ sql: SQL, _ statement: PreparedStatement) {
        bind(sql, statement.name)
        runPortal()
    }

    /// Runs a statement without preparing it.
    mutating func execute(unprepared sql: SQL) {
        parse(FrontendMessages.unnamed, sql)
        bind(sql, FrontendMessages.unnamed)
        message("D", size: 2) {
            $0.put(UInt8(ascii: "P"))
            $0.put(0 as UInt8)
        }
        runPortal()
    }

    mutating func sync() { message("S", size: 0) { _ in } }

    // MARK: Messages

    private static let unnamed: [UInt8] = [0]

    private mutating func parse(_ name: [UInt8], _ sql: SQL) {
        let text = Array(sql.text.utf8)
        message("P", size: name.count + text.count + 1 + 2 + 4 * sql.parameters.count) {
            $0.put(name)
            $0.put(text)
            $0.put(0 as UInt8)
            $0.put(UInt16(truncatingIfNeeded: sql.parameters.count))
            for parameter in sql.parameters { $0.put(parameter.oid) }
        }
    }

    private mutating func bind(_ sql: SQL, _ name: [UInt8]) {
        let parameters = sql.parameters
        var size = 1 + name.count + 4 + 2 + 4
        for parameter in parameters { size += 4 + Int(max(0, parameter.length)) }
        message("B", size: size) { message in
            message.put(0 as UInt8)
            message.put(name)
            // One format code for all values: binary.
            message.put(1 as UInt16)
            message.put(1 as UInt16)
            message.put(UInt16(truncatingIfNeeded: parameters.count))
            sql.bytes.storage.withUnsafeBytes { bytes in
                for parameter in parameters {
                    message.put(parameter.length)
                    if parameter.length > 0, let base = bytes.baseAddress {
                        message.put(
                            UnsafeRawBufferPointer(start: base + Int(parameter.offset), count: Int(parameter.length)))
                    }
                }
            }
            // One format code for all columns: binary.
            message.put(1 as UInt16)
            message.put(1 as UInt16)
        }
    }

    private mutating func runPortal() {
        message("E", size: 5) {
            $0.put(0 as UInt8)
            // All rows.
            $0.put(0 as UInt32)
        }
    }

    private struct Cursor {
        private var rest: UnsafeMutableRawBufferPointer
        init(_ bytes: UnsafeMutableRawBufferPointer) { rest = bytes }

        mutating func put(_ value: some FixedWidthInteger) {
            rest.storeBytes(of: value.bigEndian, as: type(of: value.bigEndian))
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(MemoryLayout.size(ofValue: value)))
        }

        mutating func put(_ bytes: UnsafeRawBufferPointer) {
            rest.copyMemory(from: bytes)
            rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(bytes.count))
        }

        mutating func put(_ bytes: [UInt8]) { bytes.withUnsafeBytes { put($0) } }
    }

    /// - Parameter size: the size of the body.
    private mutating func message(_ kind: Unicode.Scalar, size: Int, _ write: (inout Cursor) -> Void) {
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: 5 + size) { buffer in
            var cursor = Cursor(buffer)
            cursor.put(UInt8(ascii: kind))
            cursor.put(UInt32(truncatingIfNeeded: 4 + size))
            write(&cursor)
            return 5 + size
        }
    }
}
