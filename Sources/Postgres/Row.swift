import CLibpq

/// A row of a result, in libpq's memory. The memory is freed after the last row or text of the result.
///
/// Columns are counted from 0, and are decoded when they are read. A column of another type than it is read as, and a NULL
/// that is read by an accessor that is not optional, are read as zero, false or an empty value, and make the decoding of
/// the result throw `PostgresError.column`. An object that reads columns after its decoding states their types by `expect`
/// while it is decoded; a NULL that it reads later is zero, false or empty in release builds, and stops debug builds.
public struct Row: Sendable {
    @usableFromInline let result: QueryResult
    @usableFromInline let index: Int32

    @inlinable
    init(result: QueryResult, index: Int32) {
        self.result = result
        self.index = index
    }

    @inlinable
    public func isNull(_ column: Int) -> Bool {
        PQgetisnull(result.pointer, index, Int32(truncatingIfNeeded: column)) != 0
    }

    @inlinable
    public func int16(_ column: Int) -> Int16 { fixed(column, .int2) }
    @inlinable
    public func int32(_ column: Int) -> Int32 { fixed(column, .int4) }
    /// An `int8` or `xid8`.
    @inlinable
    public func int64(_ column: Int) -> Int64 { fixed(column, .int8) }
    @inlinable
    public func bool(_ column: Int) -> Bool { fixed(column, .bool) as UInt8 != 0 }
    @inlinable
    public func double(_ column: Int) -> Double { Double(bitPattern: fixed(column, .float8)) }
    @inlinable
    public func timestamp(_ column: Int) -> Timestamp { Timestamp(microseconds: fixed(column, .timestamptz)) }

    @inlinable
    public func uuid(_ column: Int) -> UUID {
        let bytes = value(column, .uuid)
        return bytes.count == 16 ? UUID(bigEndian: bytes) : UUID(high: 0, low: 0)
    }

    /// The UTF-8 bytes of a column whose binary form is its text: text, varchar, json.
    @inlinable
    public func text(_ column: Int) -> Text { Text(result: result, bytes: value(column, .text)) }

    @inlinable
    public func string(_ column: Int) -> String { String(text(column)) }

    /// The bytes of a `bytea`, valid only inside `body`.
    @inlinable
    public func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withExtendedLifetime(result) { try body(value(column, .bytea)) }
    }

    @inlinable
    public func bytes(_ column: Int) -> [UInt8] { withBytes(column) { [UInt8]($0) } }
}

extension Row {
    @inlinable
    public func int16(optional column: Int) -> Int16? { isNull(column, .int2) ? nil : int16(column) }
    @inlinable
    public func int32(optional column: Int) -> Int32? { isNull(column, .int4) ? nil : int32(column) }
    @inlinable
    public func int64(optional column: Int) -> Int64? { isNull(column, .int8) ? nil : int64(column) }
    @inlinable
    public func bool(optional column: Int) -> Bool? { isNull(column, .bool) ? nil : bool(column) }
    @inlinable
    public func double(optional column: Int) -> Double? { isNull(column, .float8) ? nil : double(column) }
    @inlinable
    public func timestamp(optional column: Int) -> Timestamp? { isNull(column, .timestamptz) ? nil : timestamp(column) }
    @inlinable
    public func uuid(optional column: Int) -> UUID? { isNull(column, .uuid) ? nil : uuid(column) }
    @inlinable
    public func text(optional column: Int) -> Text? { isNull(column, .text) ? nil : text(column) }
    @inlinable
    public func string(optional column: Int) -> String? { isNull(column, .text) ? nil : string(column) }
    @inlinable
    public func bytes(optional column: Int) -> [UInt8]? { isNull(column, .bytea) ? nil : bytes(column) }
}

extension Row {
    /// States the types of columns that an object reads after its decoding.
    /// - Parameter types: of the columns from `first` on.
    @inlinable
    public func expect(_ types: [ColumnType], from first: Int = 0) {
        if result.areVerified(first..<first + types.count) { return }
        for (offset, type) in types.enumerated() { expect(type, at: first + offset) }
    }

    @inlinable
    public func expect(_ type: ColumnType, at column: Int) {
        if !result.isVerified(column) { _ = result.verify(column, type) }
    }

    @inlinable
    func isNull(_ column: Int, _ type: ColumnType) -> Bool {
        if !result.isVerified(column), !result.verify(column, type) { return true }
        return isNull(column)
    }

    /// The bytes of a column; none where it has another type or is NULL.
    @inlinable
    func value(_ column: Int, _ type: ColumnType) -> UnsafeRawBufferPointer {
        guard result.isVerified(column) || result.verify(column, type) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        assert(result.hasType(column, type), "column \(column) is read as \(type), and as another type")
        let number = Int32(truncatingIfNeeded: column)
        let bytes = UnsafeRawBufferPointer(
            start: PQgetvalue(result.pointer, index, number), count: Int(PQgetlength(result.pointer, index, number)))
        if bytes.isEmpty, isNull(column) { result.noteNull(column, type) }
        return bytes
    }

    @inlinable
    func fixed<Value: FixedWidthInteger>(_ column: Int, _ type: ColumnType) -> Value {
        let bytes = value(column, type)
        guard bytes.count == MemoryLayout<Value>.size, let start = bytes.baseAddress else { return 0 }
        return Value(bigEndian: start.loadUnaligned(as: Value.self))
    }
}

/// Arrays of one dimension in binary form. Source: `array_send` in PostgreSQL's `arrayfuncs.c`.
extension Row {
    @inlinable
    public func uuids(_ column: Int) -> [UUID] {
        elements(column, .uuidArray) { $0.count == 16 ? UUID(bigEndian: $0) : nil }
    }

    @inlinable
    public func int64s(_ column: Int) -> [Int64] {
        elements(column, .int8Array) { $0.count == 8 ? Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) : nil }
    }

    /// The UTF-8 bytes of the elements, in libpq's memory.
    @inlinable
    public func texts(_ column: Int) -> [Text] {
        elements(column, .textArray) { Text(result: result, bytes: $0) }
    }

    /// The decoded elements of an array, without those that are NULL.
    @inlinable
    func elements<Element>(
        _ column: Int, _ type: ColumnType, _ decode: (UnsafeRawBufferPointer) -> Element?
    ) -> [Element] {
        withExtendedLifetime(result) {
            let bytes = value(column, type)
            if bytes.isEmpty { return [] }
            func word(_ offset: Int) -> Int {
                guard offset + 4 <= bytes.count else { return -1 }
                return Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)))
            }
            guard word(0) == 1 else {
                assert(word(0) == 0, "column \(column) has more than one dimension")
                return []
            }
            let count = max(0, word(12))
            var elements: [Element] = []
            elements.reserveCapacity(count)
            var offset = 20
            for _ in 0..<count {
                let length = word(offset)
                offset += 4
                guard length >= 0 else { continue }
                guard offset + length <= bytes.count else { break }
                if let element = decode(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])) {
                    elements.append(element)
                }
                offset += length
            }
            return elements
        }
    }
}

extension UUID {
    /// - Parameter bytes: 16 bytes.
    @inlinable
    init(bigEndian bytes: UnsafeRawBufferPointer) {
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}
