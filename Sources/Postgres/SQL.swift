/// A statement's text with its bound values.
///
/// The text consists of static strings only, so that no input can become SQL: `\(value)` binds a value,
/// `\(unsafe: text)` inserts a static string, `\(fragment)` inserts another statement's text with its bound values.
/// A statement is built by copying pointers; its text is assembled only for a connection that has not prepared it.
public struct SQL: Sendable {
    /// A static text or a bound value.
    @usableFromInline
    struct Fragment: Sendable, Equatable {
        /// The text's address; 0 where a value is bound.
        @usableFromInline let address: UInt
        /// The text's length in bytes, or the OID of the value's type.
        @usableFromInline let detail: UInt

        @inlinable
        init(address: UInt, detail: UInt) {
            self.address = address
            self.detail = detail
        }
    }

    @usableFromInline
    struct Parameter: Sendable {
        @usableFromInline let oid: UInt32
        @usableFromInline let offset: Int32
        /// The value's length in bytes; -1 for NULL.
        @usableFromInline let length: Int32

        @inlinable
        init(oid: UInt32, offset: Int32, length: Int32) {
            self.oid = oid
            self.offset = offset
            self.length = length
        }
    }

    @usableFromInline var fragments: [Fragment] = []
    @usableFromInline var parameters: [Parameter] = []
    @usableFromInline var bytes = ParameterBytes()
    /// A hash of the fragments with their addresses, so that the same text may have another hash where other code
    /// builds it.
    @usableFromInline var identity: UInt64 = 0xCBF2_9CE4_8422_2325

    @inlinable
    init() {}

    @inlinable
    mutating func append(_ fragment: Fragment) {
        fragments.append(fragment)
        identity = (identity ^ UInt64(fragment.address)) &* 0x9E37_79B9_7F4A_7C15
        identity = (identity ^ UInt64(fragment.detail) ^ identity >> 32) &* 0x9E37_79B9_7F4A_7C15
    }

    @inlinable
    mutating func append(_ text: StaticString) {
        precondition(text.hasPointerRepresentation)
        guard text.utf8CodeUnitCount > 0 else { return }
        append(Fragment(address: UInt(bitPattern: text.utf8Start), detail: UInt(text.utf8CodeUnitCount)))
    }

    @inlinable
    mutating func bind(_ type: PostgresType, _ encode: (inout ParameterBytes) -> Bool) {
        let offset = bytes.storage.count
        let isPresent = encode(&bytes)
        append(Fragment(address: 0, detail: UInt(type.oid)))
        parameters.append(
            Parameter(
                oid: type.oid, offset: Int32(truncatingIfNeeded: offset),
                length: isPresent ? Int32(truncatingIfNeeded: bytes.storage.count - offset) : -1))
    }

    /// The text with `$1`, `$2` … where values are bound.
    public var text: String {
        var text: [UInt8] = []
        var number = 0
        for fragment in fragments {
            if let start = UnsafePointer<UInt8>(bitPattern: fragment.address) {
                text.append(contentsOf: UnsafeBufferPointer(start: start, count: Int(fragment.detail)))
            } else {
                number += 1
                text.append(UInt8(ascii: "$"))
                text.append(contentsOf: String(number).utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension SQL: ExpressibleByStringInterpolation {
    @inlinable
    public init(stringLiteral text: StaticString) {
        self.init()
        append(text)
    }

    @inlinable
    public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

    public struct StringInterpolation: StringInterpolationProtocol {
        public typealias StringLiteralType = StaticString
        @usableFromInline var sql = SQL()

        @inlinable
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.fragments.reserveCapacity(2 * interpolationCount + 1)
            sql.parameters.reserveCapacity(interpolationCount)
            sql.bytes.storage.reserveCapacity(16 * interpolationCount)
        }

        @inlinable
        public mutating func appendLiteral(_ text: StaticString) { sql.append(text) }

        @inlinable
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
            sql.bind(Value.postgresType) {
                value.encode(into: &$0)
                return true
            }
        }

        @inlinable
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            sql.bind(Value.postgresType) {
                value?.encode(into: &$0)
                return value != nil
            }
        }

        /// Binds a `bytea`.
        @inlinable
        public mutating func appendInterpolation(_ value: [UInt8]) {
            sql.bind(.bytea) {
                $0.append(value)
                return true
            }
        }

        /// Binds a `bytea` or NULL.
        @inlinable
        public mutating func appendInterpolation(_ value: [UInt8]?) {
            sql.bind(.bytea) {
                if let value { $0.append(value) }
                return value != nil
            }
        }

        /// Inserts static text.
        @inlinable
        public mutating func appendInterpolation(unsafe text: StaticString) { sql.append(text) }

        /// Inserts another statement's text with its bound values.
        @inlinable
        public mutating func appendInterpolation(_ fragment: SQL) {
            var bound = 0
            for piece in fragment.fragments {
                sql.append(piece)
                guard piece.address == 0 else { continue }
                let parameter = fragment.parameters[bound]
                bound += 1
                sql.parameters.append(
                    SQL.Parameter(
                        oid: parameter.oid,
                        offset: parameter.offset + Int32(truncatingIfNeeded: sql.bytes.storage.count),
                        length: parameter.length))
            }
            sql.bytes.append(fragment.bytes.storage)
        }
    }
}
