/// The proleptic Gregorian calendar, which RFC 3339 uses.
/// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"
enum CivilDate {
    static func of(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // Years begin in March, so that the leap day is the last.
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = floorDivide(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func days(inMonth month: Int64, ofYear year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

func floorDivide(_ dividend: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
}
