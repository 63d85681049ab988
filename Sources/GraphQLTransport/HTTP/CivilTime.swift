import Glibc

/// A time of the proleptic Gregorian calendar in UTC.
struct CivilTime: Equatable {
    var year, month, day, hour, minute, second, millisecond: Int
    /// 0 is Sunday.
    var weekday: Int

    init(secondsSince1970 seconds: Int, milliseconds: Int = 0) {
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let secondOfDay = seconds - days * 86_400
        (hour, minute, second) = (secondOfDay / 3_600, secondOfDay / 60 % 60, secondOfDay % 60)
        millisecond = milliseconds
        weekday = ((days + 4) % 7 + 7) % 7
        // Years begin in March, so that the leap day is a year's last; 400 years have 146,097 days.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    static func now() -> CivilTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return CivilTime(secondsSince1970: time.tv_sec, milliseconds: time.tv_nsec / 1_000_000)
    }

    /// RFC 9110, 5.6.7 Date/Time Formats: IMF-fixdate, 29 bytes.
    var httpDate: String {
        let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(weekdays[weekday]), \(padded(day, 2)) \(months[month - 1]) \(padded(year, 4)) "
            + "\(padded(hour, 2)):\(padded(minute, 2)):\(padded(second, 2)) GMT"
    }

    /// RFC 3339 with milliseconds.
    var timestamp: String {
        "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(hour, 2)):\(padded(minute, 2)):"
            + "\(padded(second, 2)).\(padded(millisecond, 3))Z"
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}
