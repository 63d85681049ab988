import App
import CivilCalendar
import GraphQL
import Postgres

/// The times of Firebase's documents, in the forms in which apps and exporters write them.
enum FirebaseDate {
    /// The range goes from the start of 1990 to the start of 2100, in milliseconds since 1970.
    static let plausible = 631_152_000_000.0...4_102_444_800_000.0
    /// The reason in the report for a time that is replaced.
    static let isInTheFuture = "It lies in the future: the time of the import takes its place."
    /// Smaller numbers are seconds since 1970, others milliseconds. In milliseconds this number is March 1973.
    private static let leastMilliseconds = 100_000_000_000.0

    /// The instant of a number (of seconds or milliseconds since 1970), of a text, or of a timestamp that an exporter
    /// wrote as an object; nil for anything else, and for an instant that is not `plausible`.
    /// - Parameter format: the pattern of a text; nil for RFC 3339.
    static func timestamp(_ value: InputValue, _ format: DateFormat?) -> Timestamp? {
        switch value {
        case .int(let number): timestamp(Double(number))
        case .float(let number): timestamp(number)
        case .string(let text): timestamp(text, format)
        case .object(let object): timestamp(object)
        default: nil
        }
    }

    private static func timestamp(_ number: Double) -> Timestamp? {
        let milliseconds = abs(number) < leastMilliseconds ? number * 1000 : number
        guard plausible.contains(milliseconds) else { return nil }
        return Timestamp(unixMilliseconds: Int64(milliseconds))
    }

    private static func timestamp(_ text: String, _ format: DateFormat?) -> Timestamp? {
        let parsed = format.map { $0.timestamp(text) } ?? Timestamp(rfc3339: text)
        guard let parsed, plausible.contains(Double(parsed.unixMilliseconds)) else { return nil }
        return parsed
    }

    /// `{"_seconds": …, "_nanoseconds": …}`, with or without the underscores, or such an object as the `value` of
    /// `{"__datatype__": "timestamp"}`.
    private static func timestamp(_ object: InputObject) -> Timestamp? {
        if object["__datatype__"] == .string("timestamp"), case .object(let value)? = object["value"] {
            return timestamp(value)
        }
        guard case .int(let seconds)? = object["_seconds"] ?? object["seconds"], (-1 << 40...1 << 40).contains(seconds)
        else {
            return nil
        }
        var nanoseconds = 0
        if case .int(let number)? = object["_nanoseconds"] ?? object["nanoseconds"] {
            nanoseconds = min(max(number, 0), 999_999_999)
        }
        let milliseconds = Double(seconds) * 1000 + Double(nanoseconds / 1_000_000)
        return plausible.contains(milliseconds) ? Timestamp(unixMilliseconds: Int64(milliseconds)) : nil
    }
}

/// A pattern of dates in UTC, such as `dd/MM/yyyy HH:mm`. It has the fields `yyyy`, `MMM` (Jan to Dec), `MM`, `M`,
/// `dd`, `d`, `HH`, `H`, `mm` and `ss`; characters other than ASCII letters stand for themselves.
/// Source: a subset of Unicode Technical Standard #35, part 4, section "Date Format Patterns".
struct DateFormat: Equatable {
    private enum Part: Equatable {
        case number(field: Character, digits: ClosedRange<Int>)
        case monthName
        case literal(Character)
    }

    private let parts: [Part]

    /// nil for a pattern with any other letters, or without a year.
    init?(_ pattern: String) {
        var parts: [Part] = []
        var rest = pattern[...]
        while let letter = rest.first {
            let run = rest.prefix { $0 == letter }
            rest = rest.dropFirst(run.count)
            switch (letter, run.count) {
            case ("y", 4): parts.append(.number(field: letter, digits: 4...4))
            case ("M", 3): parts.append(.monthName)
            case ("M", 1), ("d", 1), ("H", 1): parts.append(.number(field: letter, digits: 1...2))
            case ("M", 2), ("d", 2), ("H", 2), ("m", 2), ("s", 2): parts.append(.number(field: letter, digits: 2...2))
            default:
                if letter.isASCII, letter.isLetter { return nil }
                parts += run.map(Part.literal)
            }
        }
        guard parts.contains(.number(field: "y", digits: 4...4)) else { return nil }
        self.parts = parts
    }

    func timestamp(_ text: String) -> Timestamp? {
        var rest = text[...]
        var values: [Character: Int] = ["y": 1970, "M": 1, "d": 1, "H": 0, "m": 0, "s": 0]
        for part in parts {
            switch part {
            case .literal(let character):
                guard rest.first == character else { return nil }
                rest = rest.dropFirst()
            case .monthName:
                guard let month = Self.months.firstIndex(of: rest.prefix(3).lowercased()) else { return nil }
                values["M"] = month + 1
                rest = rest.dropFirst(3)
            case .number(let field, let digits):
                let run = rest.prefix(digits.upperBound).prefix { $0.isASCII && $0.isNumber }
                guard digits.contains(run.count), let number = Int(run) else { return nil }
                values[field] = number
                rest = rest.dropFirst(run.count)
            }
        }
        guard rest.isEmpty, let year = values["y"], let month = values["M"], let day = values["d"],
            let hour = values["H"], let minute = values["m"], let second = values["s"], (1...12).contains(month),
            (1...CivilDate.days(inMonth: month, ofYear: year)).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970
        return Timestamp(unixMilliseconds: Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
