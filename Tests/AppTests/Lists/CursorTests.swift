import GraphQL
import Postgres
import Testing

@testable import App

@Suite struct CursorTests {
    private func text(_ cursor: Cursor) -> String {
        var json = JSONWriter()
        cursor.write(to: &json)
        return String(decoding: json.bytes.dropFirst().dropLast(), as: UTF8.self)
    }

    @Test(arguments: [0, 1, -1, 817_000_000_000_000, -211_813_488_000_000_000, 9_223_371_331_199_999_999] as [Int64])
    func comesBack(_ key: Int64) {
        let cursor = Cursor(order: .newest, key: key, id: UUID(high: .max, low: 1))
        #expect(Cursor(text(cursor), order: .newest) == cursor)
        #expect(Cursor(text(cursor), order: .oldest) == nil)
    }

    /// PostgreSQL refuses such instants, and takes the least and the greatest number for its infinities.
    @Test(arguments: [.min, .min + 1, -211_813_488_000_000_001, 9_223_371_331_200_000_000, .max] as [Int64])
    func keysOutOfRangeAreRefused(_ key: Int64) {
        #expect(Cursor(text(Cursor(order: .newest, key: key, id: UUID(high: 0, low: 0))), order: .newest) == nil)
    }

    @Test func malformedOnesAreRefused() {
        let good = text(Cursor(order: .newest, key: 1, id: UUID(high: 1, low: 1)))
        for bad in ["", "x", String(good.dropLast()), good + "A", good + "=", "*" + good.dropFirst(), good + "\n"] {
            #expect(Cursor(bad, order: .newest) == nil)
        }
    }
}
