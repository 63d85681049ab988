import Testing

@testable import ChangeFeed

@Suite struct SentObjectsTests {
    /// One object of a subscription that began before all of its changes.
    private struct Client {
        var sent = SentObjects()

        mutating func kind(_ kind: ChangeKind, isThere: Bool) -> ChangeKind? {
            let change = Change.of(at: 1)
            let cursor = ChangeCursor(epoch: 1, position: change.position)
            return sent.kindToSend(
                MatchedChange(SharedChange(change, cursor: cursor), kind), isThere: isThere, isSeen: isThere,
                canLoseObjectsSilently: false, isNew: true, people: [])
        }
    }

    @Test func whatTheClientNeverHadIsNotRemoved() {
        var client = Client()
        #expect(client.kind(.added, isThere: false) == nil)
        #expect(client.kind(.removed, isThere: false) == nil)
    }

    /// A thought is unpublished, published and deleted. When the first change is sent, it is published again; when the
    /// second one is sent, it is deleted.
    @Test func whatCameBackEarlyIsRemovedInTheEnd() {
        var client = Client()
        #expect(client.kind(.removed, isThere: true) == .changed)
        #expect(client.kind(.added, isThere: false) == nil)
        #expect(client.kind(.removed, isThere: false) == .removed)
    }

    @Test func whatCameBackEarlyTwiceIsRemovedInTheEnd() {
        var client = Client()
        #expect(client.kind(.removed, isThere: true) == .changed)
        #expect(client.kind(.added, isThere: false) == nil)
        #expect(client.kind(.removed, isThere: true) == .changed)
        #expect(client.kind(.added, isThere: false) == nil)
        #expect(client.kind(.removed, isThere: false) == .removed)
    }
}
