import CLibpq

/// The owner of one libpq result. A finished PGresult is immutable, so tasks may share it.
@usableFromInline
final class QueryResult: @unchecked Sendable {
    @usableFromInline let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }
    deinit { PQclear(pointer) }
}

/// A row of a result, in libpq's memory. The memory is freed when no row or text of the result is referred to any more.
///
/// Columns are counted from 0, and are decoded when they are read. To read a column as another type, or a NULL by an
/// accessor that is not optional, is a programming error. Debug builds trap. Release builds return zero, false, an
/// empty value or the bytes of the other type, and never read beyond the value.
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
    public func int64(_ column: Int) -> Int64 { fixed(column, .int8, or: .xid8) }
    @inlinable
    public func bool(_ column: Int) -> Bool { fixed(column, .bool) as UInt8 != 0 }
    @inlinable
    public func double(_ column: Int) -> Double { Double(bitPattern: fixed(column, .float8)) }
    @inlinable
    public func timestamp(_ column: Int) -> Timestamp { Timestamp(microseconds: fixed(column, .timestamptz)) }

    @inlinable
    public func uuid(_ column: Int) -> UUID {
        let bytes = value(column, .uuid)
        guard bytes.count == 16 else {
            assertionFailure("column \(column) is no uuid")
            return UUID(high: 0, low: 0)
        }
        return UUID(bigEndian: bytes)
    }

    /// The UTF-8 bytes of a column whose binary form is its text: text, varchar, citext, an enum, json.
    @inlinable
    public func text(_ column: Int) -> Text {
        assert(hasTextType(column), "column \(column) is no text")
        assert(!isNull(column), "column \(column) is NULL")
        return Text(result: result, bytes: value(column))
    }

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
    public func int16(optional column: Int) -> Int16? { isNull(column) ? nil : int16(column) }
    @inlinable
    public func int32(optional column: Int) -> Int32? { isNull(column) ? nil : int32(column) }
    @inlinable
    public func int64(optional column: Int) -> Int64? { isNull(column) ? nil : int64(column) }
    @inlinable
    public func bool(optional column: Int) -> Bool? { isNull(column) ? nil : bool(column) }
    @inlinable
    public func double(optional column: Int) -> Double? { isNull(column) ? nil : double(column) }
    @inlinable
    public func timestamp(optional column: Int) -> Timestamp? { isNull(column) ? nil : timestamp(column) }
    @inlinable
    public func uuid(optional column: Int) -> UUID? { isNull(column) ? nil : uuid(column) }
    @inlinable
    public func text(optional column: Int) -> Text? { isNull(column) ? nil : text(column) }
    @inlinable
    public func string(optional column: Int) -> String? { isNull(column) ? nil : string(column) }
    @inlinable
    public func bytes(optional column: Int) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}

extension Row {
    @inlinable
    func value(_ column: Int) -> UnsafeRawBufferPointer {
        let column = Int32(truncatingIfNeeded: column)
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result.pointer, index, column),
            count: Int(PQgetlength(result.pointer, index, column)))
    }

    @inlinable
    func value(_ column: Int, _ type: PostgresType) -> UnsafeRawBufferPointer {
        assert(self.type(of: column) == type.oid, "column \(column) has type \(self.type(of: column)), not \(type.oid)")
        assert(!isNull(column), "column \(column) is NULL")
        return value(column)
    }

    @inlinable
    func fixed<Value: FixedWidthInteger>(
        _ column: Int, _ type: PostgresType, or other: PostgresType? = nil
    ) -> Value {
        assert(
            self.type(of: column) == type.oid || self.type(of: column) == other?.oid,
            "column \(column) has type \(self.type(of: column)), not \(type.oid)")
        assert(!isNull(column), "column \(column) is NULL")
        let bytes = value(column)
        guard bytes.count == MemoryLayout<Value>.size, let start = bytes.baseAddress else { return 0 }
        return Value(bigEndian: start.loadUnaligned(as: Value.self))
    }

    @inlinable
    func type(of column: Int) -> UInt32 { PQftype(result.pointer, Int32(truncatingIfNeeded: column)) }

    @inlinable
    func hasTextType(_ column: Int) -> Bool {
        let others: [PostgresType] = [.bool, .bytea, .int2, .int4, .int8, .float8, .timestamptz, .uuid, .jsonb, .xid8]
        let type = type(of: column)
        return type != 0 && !others.contains { $0.oid == type || $0.arrayOID == type }
    }
}

/// Arrays of one dimension in binary form. Source: `array_send` in PostgreSQL's `arrayfuncs.c`.
extension Row {
    @inlinable
    public func uuids(_ column: Int) -> [UUID] {
        elements(column, .uuid) { $0.count == 16 ? UUID(bigEndian: $0) : nil }
    }

    @inlinable
    public func int64s(_ column: Int) -> [Int64] {
        elements(column, .int8) { $0.count == 8 ? Int64(bigEndian: $0.loadUnaligned(as: Int64.self)) : nil }
    }

    /// The UTF-8 bytes of the elements, in libpq's memory.
    @inlinable
    public func texts(_ column: Int) -> [Text] {
        elements(column, .text) { Text(result: result, bytes: $0) }
    }

    /// The decoded elements of an array, without those that are NULL.
    @inlinable
    func elements<Element>(
        _ column: Int, _ type: PostgresType, _ decode: (UnsafeRawBufferPointer) -> Element?
    ) -> [Element] {
        assert(!isNull(column), "column \(column) is NULL")
        assert(self.type(of: column) == type.arrayOID, "column \(column) has type \(self.type(of: column))")
        return withExtendedLifetime(result) {
            let bytes = value(column)
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
