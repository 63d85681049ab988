import ChangeFeed
import Postgres
import Testing

@testable import App

@Suite struct SharedReadingTests {
    /// The reading belongs to the change: if it held the change, no change that subscribers were sent would be
    /// released.
    @Test func aChangeIsReleasedWithItsReading() throws {
        weak var released: SharedChange?
        weak var reading: SharedReading?
        do {
            let row = Change(
                position: ChangePosition(transaction: 5, row: 1), at: .now(),
                object: ObjectID(.thought, worldUUID(0x201)), before: nil, after: nil, isCountersOnly: false)
            let change = SharedChange(row, cursor: ChangeCursor(epoch: 1, position: row.position), isOffered: true)
            let object = try #require(TypeID(row.object))
            reading = SharedReading.of(change, object)
            #expect(reading != nil && SharedReading.of(change, object) === reading)
            released = change
        }
        #expect(released == nil)
        #expect(reading == nil)
    }
}
