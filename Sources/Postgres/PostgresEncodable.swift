/// A value that a statement can bind, sent in PostgreSQL's binary format.
public protocol PostgresEncodable: Sendable {
    static var postgresType: PostgresType { get }
    func encode(into bytes: inout ParameterBytes)
}

/// The encoded values of one statement, one after another.
public struct ParameterBytes: Sendable {
    @usableFromInline var storage: [UInt8] = []

    @inlinable
    init() {}

    @inlinable
    public mutating func append(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.bigEndian) { storage.append(contentsOf: $0) }
    }

    @inlinable
    public mutating func append(_ bytes: UnsafeRawBufferPointer) { storage.append(contentsOf: bytes) }

    @inlinable
    public mutating func append(_ bytes: [UInt8]) { storage.append(contentsOf: bytes) }

    @inlinable
    public mutating func append(utf8 text: String) { storage.append(contentsOf: text.utf8) }

    /// Writes `size` over the four bytes at `position`, which were reserved for it.
    @inlinable
    mutating func patch(size: Int, at position: Int) {
        withUnsafeBytes(of: Int32(truncatingIfNeeded: size).bigEndian) { source in
            for offset in 0..<4 { storage[position + offset] = source[offset] }
        }
    }
}

extension Bool: PostgresEncodable {
    public static var postgresType: PostgresType { .bool }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { bytes.append(self ? 1 as UInt8 : 0) }
}

extension Int16: PostgresEncodable {
    public static var postgresType: PostgresType { .int2 }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { bytes.append(self) }
}

extension Int32: PostgresEncodable {
    public static var postgresType: PostgresType { .int4 }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { bytes.append(self) }
}

extension Int64: PostgresEncodable {
    public static var postgresType: PostgresType { .int8 }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { bytes.append(self) }
}

extension Int: PostgresEncodable {
    public static var postgresType: PostgresType { .int8 }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { bytes.append(Int64(self)) }
}

extension Double: PostgresEncodable {
    public static var postgresType: PostgresType { .float8 }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { bytes.append(bitPattern) }
}

extension String: PostgresEncodable {
    public static var postgresType: PostgresType { .text }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { bytes.append(utf8: self) }
}

extension Text: PostgresEncodable {
    public static var postgresType: PostgresType { .text }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { withBytes { bytes.append($0) } }
}

extension UUID: PostgresEncodable {
    public static var postgresType: PostgresType { .uuid }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) {
        bytes.append(high)
        bytes.append(low)
    }
}

extension Timestamp: PostgresEncodable {
    public static var postgresType: PostgresType { .timestamptz }
    @inlinable
    public func encode(into bytes: inout ParameterBytes) { bytes.append(microseconds) }
}

/// An array is encoded with one dimension, the lower bound 1 and no NULLs; an empty one without a dimension.
/// Source: `array_recv` in PostgreSQL's `arrayfuncs.c`
extension Array: PostgresEncodable where Element: PostgresEncodable {
    public static var postgresType: PostgresType {
        PostgresType(oid: Element.postgresType.arrayOID, arrayOID: 0)
    }

    @inlinable
    public func encode(into bytes: inout ParameterBytes) {
        bytes.append(isEmpty ? 0 as Int32 : 1)
        bytes.append(0 as Int32)
        bytes.append(Element.postgresType.oid)
        guard !isEmpty else { return }
        bytes.append(Int32(truncatingIfNeeded: count))
        bytes.append(1 as Int32)
        for element in self {
            let position = bytes.storage.count
            bytes.append(0 as Int32)
            element.encode(into: &bytes)
            bytes.patch(size: bytes.storage.count - position - 4, at: position)
        }
    }
}
