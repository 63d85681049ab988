import CivilCalendar
import GraphQL
import Postgres

/// A timestamp is written as an RFC 3339 date-time in UTC with exactly three decimals.
/// Source: https://scalars.graphql.org/andimarek/date-time.html
extension Timestamp: LeafValue {
    public func write(to json: inout JSONWriter) {
        let time = CivilTime(millisecondsSince1970: Int(unixMilliseconds))
        withUnsafeTemporaryAllocation(byteCount: 26, alignment: 1) { text in
            var position = 0
            func append(_ character: Unicode.Scalar) {
                text[position] = UInt8(ascii: character)
                position += 1
            }
            func append(_ number: Int, digits: Int) {
                var number = number
                for place in stride(from: position + digits - 1, through: position, by: -1) {
                    text[place] = UInt8(ascii: "0") + UInt8(number % 10)
                    number /= 10
                }
                position += digits
            }
            append("\"")
            append(time.date.year, digits: 4)
            append("-")
            append(time.date.month, digits: 2)
            append("-")
            append(time.date.day, digits: 2)
            append("T")
            append(time.hour, digits: 2)
            append(":")
            append(time.minute, digits: 2)
            append(":")
            append(time.second, digits: 2)
            append(".")
            append(time.millisecond, digits: 3)
            append("Z")
            append("\"")
            json.append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[..<position]))
        }
    }

    public static func canRepresent(_ type: NamedType) -> Bool { type.name == "DateTime" }

    /// The timestamp as it is written in a response, but without quotation marks.
    var rfc3339: String {
        var json = JSONWriter(capacity: 32)
        write(to: &json)
        return String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
    }
}

extension Timestamp: InputDecodable {
    /// - Throws: BAD_USER_INPUT unless the value is an RFC 3339 date-time.
    public init(inputValue: InputValue) throws {
        guard case .string(let text) = inputValue, let timestamp = Timestamp(rfc3339: text) else {
            throw ExecutionError("This is not a DateTime.", code: .badUserInput)
        }
        self = timestamp
    }
}

enum DateTimeScalar {
    static let coercion = ScalarCoercion { (value) throws(CoercionError) in
        guard case .string(let text) = value else {
            throw CoercionError("DateTime cannot represent a value that is not a string.")
        }
        guard Timestamp(rfc3339: text) != nil else {
            throw CoercionError("DateTime cannot represent an invalid RFC 3339 date-time.")
        }
        return value
    }
}

extension Timestamp {
    /// Parses a date-time of RFC 3339, section 5.6, with any offset, the years 0001 to 9999, and at most nine decimals.
    /// Decimals beyond milliseconds are cut off.
    package init?(rfc3339 text: String) {
        var parser = DateTimeParser(Array(text.utf8))
        guard let milliseconds = parser.parse() else { return nil }
        self.init(unixMilliseconds: milliseconds)
    }
}

private struct DateTimeParser {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) { self.text = text }

    mutating func parse() -> Int64? {
        guard let year = number(4), year > 0, take("-"), let month = number(2), take("-"), let day = number(2),
            take("T") || take("t"), let hour = number(2), take(":"), let minute = number(2), take(":"),
            let second = number(2), (1...12).contains(month),
            day >= 1, day <= CivilDate.days(inMonth: month, ofYear: year), hour < 24, minute < 60,
            // A leap second is read as the last millisecond before it.
            second < 60 || (second == 60 && minute == 59)
        else { return nil }
        var milliseconds: Int = 0
        if take(".") {
            var digits = 0
            while position < text.count, (0x30...0x39).contains(text[position]) {
                if digits < 3 { milliseconds = milliseconds * 10 + Int(text[position] - 0x30) }
                digits += 1
                position += 1
            }
            guard (1...9).contains(digits) else { return nil }
            for _ in digits..<max(digits, 3) { milliseconds *= 10 }
        }
        guard let offset = offset(), position == text.count else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + min(second, 59) - offset
        let result = seconds * 1000 + (second == 60 ? 999 : milliseconds)
        // The result must be in the years 0001 to 9999 in UTC, too.
        return (-62_135_596_800_000...253_402_300_799_999).contains(result) ? Int64(result) : nil
    }

    /// Parses the offset from UTC, in seconds; an offset east of UTC is positive.
    private mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign: Int
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hours = number(2), take(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard position + digits <= text.count else { return nil }
        var value: Int = 0
        for character in text[position..<(position + digits)] {
            guard (0x30...0x39).contains(character) else { return nil }
            value = value * 10 + Int(character - 0x30)
        }
        position += digits
        return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }
}
