import CivilCalendar
import Glibc
import Synchronization

/// The Date header, formatted once a second.
/// RFC 9110, 6.6.1 Date
final class DateHeader: Sendable {
    private let cached = Mutex<(second: Int, bytes: [UInt8])>((second: -1, bytes: []))

    /// The header line with its CRLF.
    var line: [UInt8] {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        let second = time.tv_sec
        return cached.withLock { cached in
            if cached.second != second {
                cached = (second, Array("Date: \(CivilTime(secondsSince1970: second).httpDate)\r\n".utf8))
            }
            return cached.bytes
        }
    }
}
