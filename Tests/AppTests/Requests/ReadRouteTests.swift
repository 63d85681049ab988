import Postgres
import Testing

@testable import App

/// Transcripts: each line is an event, and where the next read of the request runs.
@Suite struct ReadRouteTests {
    private static func at(_ transaction: Int64, epoch: Int64 = 1) -> TransactionPosition {
        TransactionPosition(epoch: epoch, transaction: transaction)
    }

    @Test func aRequestStaysWithTheStandbyThatItFirstReadFrom() {
        var route = ReadRoute(atLeast: nil)
        #expect(route.next { position, only in position == nil && only == nil ? 2 : nil } == 2)
        #expect(route.next { _, only in only } == 2)
        #expect(route.place == .standby(2))
    }

    @Test func aRequestThatHasReadOnThePrimaryStaysThere() {
        var route = ReadRoute(atLeast: nil)
        #expect(route.next { _, _ in nil } == nil)
        #expect(route.next { _, _ in 0 } == nil)
        route = ReadRoute(atLeast: nil)
        #expect(route.next { _, _ in 1 } == 1)
        route.stayOnPrimary()
        #expect(route.next { _, _ in 1 } == nil)
    }

    @Test func aRequestSeesTheLaterOfItsPositions() {
        var route = ReadRoute(atLeast: Self.at(5))
        route.require(Self.at(9))
        route.require(Self.at(7))
        #expect(route.position == Self.at(9))
        #expect(route.next { position, _ in position == Self.at(9) ? 0 : nil } == 0)
    }

    @Test func positionsThatCannotBeComparedLeadToThePrimary() {
        var route = ReadRoute(atLeast: Self.at(5))
        route.require(Self.at(9, epoch: 2))
        #expect(route.place == .primary)
        route = ReadRoute(atLeast: nil)
        route.require(nil)
        #expect(route.place == .primary)
    }

    @Test func ownWritesTellTheirLatestPosition() {
        var writes = OwnWrites()
        #expect(writes.header == nil)
        writes.began()
        #expect(writes.header == OwnWrites.unknown)
        writes.committed(at: Self.at(9))
        #expect(writes.header == Self.at(9).text)
        writes.began()
        writes.rolledBack()
        writes.began()
        writes.committed(at: Self.at(7))
        #expect(writes.header == Self.at(9).text)
        // The outcome or the position of one write is not known, or its history is another.
        for position in [nil, Self.at(10, epoch: 2)] {
            var writes = writes
            writes.began()
            writes.committed(at: position)
            #expect(writes.header == OwnWrites.unknown)
        }
    }
}
