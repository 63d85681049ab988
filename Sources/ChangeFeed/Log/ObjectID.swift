import Postgres

/// A type of objects, by its name in the log. The feed only compares kinds, and gives none of them a meaning.
///
/// The name is kept in two words, because kinds are compared for each subscriber that a change is offered to.
public struct ObjectKind: RawRepresentable, Hashable, Sendable {
    @usableFromInline let high: UInt64
    @usableFromInline let low: UInt64

    /// - Parameter rawValue: the name, of which only the first 16 bytes in UTF-8 count.
    public init(rawValue: String) {
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for (index, byte) in rawValue.utf8.prefix(16).enumerated() {
            let bits = UInt64(byte) << UInt64(56 - 8 * (index % 8))
            if index < 8 { words.high |= bits } else { words.low |= bits }
        }
        (high, low) = words
    }

    public var rawValue: String {
        let bytes = [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    @inlinable
    public static func == (left: Self, right: Self) -> Bool { left.high == right.high && left.low == right.low }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }
}

/// The kind and id of an object in the log.
public struct ObjectID: Hashable, Sendable {
    public let kind: ObjectKind
    public let uuid: UUID

    @inlinable
    public init(_ kind: ObjectKind, _ uuid: UUID) {
        self.kind = kind
        self.uuid = uuid
    }
}
