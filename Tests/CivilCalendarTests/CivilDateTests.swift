import CivilCalendar
import Testing

struct CivilDateTests {
    @Test func everyDayOfFourCenturiesComesBack() {
        for day in -146_097...146_097 { #expect(CivilDate(daysSince1970: day).daysSince1970 == day) }
    }
}
