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
                canLoseObjectsSilently: false, isNew: true, isUnsent: false)
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

    /// Objects that leave the scope without a row of the log, such as events that end: each is removed once, as long as
    /// the subscription has a place to note it.
    @Test func asManyObjectsAsAreNotedAreRemovedOnce() {
        var sent = SentObjects()
        let limit = UInt64(ChangeQueue.limit)
        func kind(_ number: UInt64) -> ChangeKind? {
            let change = Change.of(number, at: 1)
            let cursor = ChangeCursor(epoch: 1, position: change.position)
            return sent.kindToSend(
                MatchedChange(SharedChange(change, cursor: cursor), .changed), isThere: false, isSeen: true,
                canLoseObjectsSilently: true, isNew: true, isUnsent: false)
        }
        for number in 1...limit {
            #expect(kind(number) == .removed)
            #expect(kind(number) == nil)
        }
        for _ in 1...2 { #expect(kind(limit + 1) == .removed) }
        #expect(kind(1) == nil)
    }
}
