import Testing

@testable import ChangeFeed

@Suite struct ToldObjectsTests {
    /// One object of a subscription that began before all of its changes.
    private struct Teller {
        var told = ToldObjects()

        mutating func tell(_ kind: ChangeKind, isThere: Bool) -> ChangeKind? {
            let change = Change.of(at: 1)
            let cursor = ChangeCursor(epoch: 1, position: change.position)
            return told.tell(
                MatchedChange(SharedChange(change, cursor: cursor), kind), isThere: isThere, isSeen: isThere,
                canLoseObjectsSilently: false, isNew: true, people: [])
        }
    }

    @Test func whatTheClientNeverHadIsNotRemoved() {
        var teller = Teller()
        #expect(teller.tell(.added, isThere: false) == nil)
        #expect(teller.tell(.removed, isThere: false) == nil)
    }

    /// A thought is unpublished, published and deleted. When the first change is sent, it is published again; when the
    /// second one is sent, it is deleted.
    @Test func whatCameBackEarlyIsRemovedInTheEnd() {
        var teller = Teller()
        #expect(teller.tell(.removed, isThere: true) == .changed)
        #expect(teller.tell(.added, isThere: false) == nil)
        #expect(teller.tell(.removed, isThere: false) == .removed)
    }

    @Test func whatCameBackEarlyTwiceIsRemovedInTheEnd() {
        var teller = Teller()
        #expect(teller.tell(.removed, isThere: true) == .changed)
        #expect(teller.tell(.added, isThere: false) == nil)
        #expect(teller.tell(.removed, isThere: true) == .changed)
        #expect(teller.tell(.added, isThere: false) == nil)
        #expect(teller.tell(.removed, isThere: false) == .removed)
    }
}
