import Glibc

/// An instant as PostgreSQL's `timestamptz` has it: microseconds since 2000-01-01 00:00 UTC.
public struct Timestamp: Sendable, Hashable, Comparable {
    public var microseconds: Int64

    /// Microseconds from 1970-01-01 to 2000-01-01.
    @usableFromInline static let unixEpochOffset: Int64 = 946_684_800_000_000

    @inlinable
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// - Parameter unixMilliseconds: milliseconds since 1970-01-01 UTC.
    @inlinable
    public init(unixMilliseconds: Int64) {
        microseconds = unixMilliseconds * 1000 - Timestamp.unixEpochOffset
    }

    /// - Parameter unixMicroseconds: microseconds since 1970-01-01 UTC.
    @inlinable
    public init(unixMicroseconds: Int64) { microseconds = unixMicroseconds - Timestamp.unixEpochOffset }

    @inlinable
    public var unixMicroseconds: Int64 { microseconds + Timestamp.unixEpochOffset }

    /// Milliseconds since 1970-01-01 UTC, rounded down.
    @inlinable
    public var unixMilliseconds: Int64 {
        let (quotient, remainder) = unixMicroseconds.quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }

    public static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(unixMicroseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    @inlinable
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.microseconds < right.microseconds }
}
