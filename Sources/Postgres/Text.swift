/// The UTF-8 bytes of a column, in the memory of its result, which this value retains. The bytes are valid UTF-8, since the
/// server checks them.
public struct Text: Sendable {
    @usableFromInline let result: QueryResult
    @usableFromInline let address: UInt
    public let count: Int

    @inlinable
    init(result: QueryResult, bytes: UnsafeRawBufferPointer) {
        self.result = result
        address = UInt(bitPattern: bytes.baseAddress)
        count = bytes.count
    }

    @inlinable
    public var isEmpty: Bool { count == 0 }

    /// The bytes, valid only inside `body`.
    @inlinable
    public func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try withExtendedLifetime(result) {
            try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
        }
    }
}

extension Text: Hashable, CustomStringConvertible {
    @inlinable
    public static func == (left: Text, right: Text) -> Bool {
        left.withBytes { left in right.withBytes { right in left.elementsEqual(right) } }
    }

    @inlinable
    public func hash(into hasher: inout Hasher) { withBytes { hasher.combine(bytes: $0) } }

    public var description: String { String(self) }
}

extension String {
    @inlinable
    public init(_ text: Text) {
        self = text.withBytes { String(decoding: $0, as: UTF8.self) }
    }
}
