#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// An instant as calendar and clock show it in UTC.
@frozen public struct CivilTime: Equatable, Sendable {
    public let date: CivilDate
    public let hour, minute, second, millisecond: Int
    /// 0 is Sunday.
    public let weekday: Int

    @inlinable
    public init(secondsSince1970 seconds: Int, milliseconds: Int = 0) {
        let (days, secondOfDay) = floorDivide(seconds, by: 86_400)
        date = CivilDate(daysSince1970: days)
        (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        millisecond = milliseconds
        weekday = floorDivide(days + 4, by: 7).remainder
    }

    @inlinable
    public init(millisecondsSince1970 milliseconds: Int) {
        let (seconds, milliseconds) = floorDivide(milliseconds, by: 1000)
        self.init(secondsSince1970: seconds, milliseconds: milliseconds)
    }

    public static func now() -> CivilTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return CivilTime(secondsSince1970: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    /// RFC 9110, 5.6.7 Date/Time Formats: IMF-fixdate, 29 bytes.
    public var httpDate: String {
        "\(dayName), \(padded(date.day, 2)) \(monthName) \(padded(date.year, 4)) \(clock) GMT"
    }

    /// RFC 5322, 3.3 Date and Time Specification.
    public var mailDate: String { "\(dayName), \(date.day) \(monthName) \(date.year) \(clock) +0000" }

    /// RFC 3339 with milliseconds.
    public var timestamp: String {
        "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(clock).\(padded(millisecond, 3))Z"
    }

    private var clock: String { "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2))" }

    private var dayName: String { ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][weekday] }

    private var monthName: String {
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][date.month - 1]
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
