import CivilCalendar
import Testing

struct CivilTimeTests {
    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
    func formatsForHTTP(_ seconds: Int, _ expected: String) {
        #expect(CivilTime(secondsSince1970: seconds).httpDate == expected)
    }

    @Test func formatsForMail() {
        #expect(CivilTime(secondsSince1970: 784_111_777).mailDate == "Sun, 6 Nov 1994 08:49:37 +0000")
    }

    @Test func formatsForTheLog() {
        #expect(CivilTime(secondsSince1970: 1_795_000_000, milliseconds: 7).timestamp == "2026-11-18T11:06:40.007Z")
    }
}
