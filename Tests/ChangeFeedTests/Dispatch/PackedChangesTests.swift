import Postgres
import Testing

@testable import ChangeFeed

@Suite struct PackedChangesTests {
    private static let id = UUID(high: 0x0123_4567_89ab_cdef, low: .max)
    private static let whole = ChangeState(
        owner: id, status: "PUBLISHED", category: "FUNNY", time: Timestamp(microseconds: -1),
        subject: UUID(high: 0, low: 1), extra: #"{"title": "Zoë"}"#)

    /// States with one attribute each, with none and with all.
    private static let states: [ChangeState?] = [
        nil, ChangeState(), ChangeState(owner: id), ChangeState(status: ""), ChangeState(category: "é"),
        ChangeState(time: Timestamp(microseconds: 1)), ChangeState(subject: id),
        ChangeState(extra: String(repeating: "x", count: 70_000)), whole,
    ]

    @Test func givesBackEveryRow() {
        var rows: [Change] = []
        for before in Self.states {
            for after in Self.states {
                for subject in [nil, ChangeState(), Self.whole] {
                    let number = Int64(rows.count + 1)
                    rows.append(
                        Change(
                            position: ChangePosition(transaction: number, row: 2 * number),
                            at: Timestamp(microseconds: 1_700_000_000_000_000 + number),
                            object: ObjectID(ObjectKind(rawValue: "notificationsOfX"), UUID(high: 7, low: 8)),
                            before: before, after: after, isCountersOnly: number % 2 == 0, subject: subject))
                }
            }
        }
        var packed = PackedChanges()
        for (index, row) in rows.enumerated() {
            packed.append(row)
            if index == rows.count / 2 { packed.shrink() }
        }
        for (index, row) in rows.enumerated() {
            let found = packed[index]
            #expect(found.position == row.position && found.at == row.at && found.object == row.object)
            #expect(found.before == row.before && found.after == row.after && found.subject == row.subject)
            #expect(found.isCountersOnly == row.isCountersOnly && packed.object(at: index) == row.object)
        }
    }
}
