import Postgres
import Testing

@testable import ChangeFeed

@Suite struct SentObjectsTests {
    /// One object of a subscription that began before all of its changes.
    private struct Client {
        var sent = SentObjects()

        /// - Parameters:
        ///   - at: the transaction of the change.
        ///   - overtaking: the transaction of the first change that overtook it.
        mutating func kind(
            _ kind: ChangeKind, isThere: Bool, people: [UUID] = [], at: Int64 = 1, overtaking: Int64? = nil
        ) -> ChangeKind? {
            let change = Change.of(at: at)
            let cursor = ChangeCursor(epoch: 1, position: change.position)
            return sent.kindToSend(
                MatchedChange(SharedChange(change, cursor: cursor), kind), isThere: isThere, isSeen: isThere,
                canLoseObjectsSilently: false, isNew: true,
                overtaking: overtaking.map { ChangePosition(transaction: $0, row: $0) }, people: people)
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

    /// A transaction begins, another one adds a thought, and the first one edits it: the log has the edit first. When
    /// the addition is to be sent, the thought is unpublished.
    @Test func whatChangedBeforeItWasAddedIsRemoved() {
        var client = Client()
        #expect(client.kind(.changed, isThere: true, at: 1) == .changed)
        #expect(client.kind(.added, isThere: false, at: 2, overtaking: 1) == nil)
        #expect(client.kind(.removed, isThere: false, at: 3) == .removed)
    }

    /// As before, but the thought is unpublished already when the edit is to be sent.
    @Test func whatWasHiddenWhenItChangedAndWasAddedIsNotRemoved() {
        var client = Client()
        #expect(client.kind(.changed, isThere: false, at: 1) == nil)
        #expect(client.kind(.changed, isThere: false, at: 2) == nil)
        #expect(client.kind(.added, isThere: false, at: 3, overtaking: 1) == nil)
        #expect(client.kind(.removed, isThere: false, at: 4) == nil)
    }

    /// Two edits overtake the addition. The thought is unpublished between the times when they are to be sent.
    @Test func whatWasSentBeforeAnUnsentChangeIsRemoved() {
        var client = Client()
        #expect(client.kind(.changed, isThere: true, at: 1) == .changed)
        #expect(client.kind(.changed, isThere: false, at: 2) == nil)
        #expect(client.kind(.added, isThere: false, at: 3, overtaking: 1) == nil)
        #expect(client.kind(.removed, isThere: false, at: 4) == .removed)
    }

    /// Somebody is unblocked, publishes a thought and is blocked and unblocked again; then the thought leaves the
    /// scope. The first end of a block is not sent, because the second block follows. When the thought's changes are
    /// sent, the second block has ended, too.
    @Test func whatIsAddedBetweenAnUnsentEndAndItsBlockIsNotSent() {
        let person = UUID(high: 0, low: 1)
        var client = Client()
        client.sent.addUnsent(person)
        #expect(client.kind(.added, isThere: true, people: [person]) == nil)
        #expect(client.kind(.changed, isThere: true, people: [person]) == nil)
        #expect(client.kind(.removed, isThere: false, people: [person]) == nil)
        #expect(client.kind(.added, isThere: true, people: [UUID(high: 1, low: 1)]) == .added)
        // The second block is not sent; its end adds the thought, which is gone from the scope by now.
        let wasUnsent = client.sent.removeUnsent(person)
        #expect(wasUnsent)
        #expect(client.kind(.added, isThere: false, people: [person]) == nil)
        #expect(client.kind(.removed, isThere: false, people: [person]) == nil)
    }

    /// As before, but the thought stays in the scope until the client has it.
    @Test func theEndOfTheOtherBlockSendsIt() {
        let person = UUID(high: 0, low: 1)
        var client = Client()
        client.sent.addUnsent(person)
        #expect(client.kind(.removed, isThere: true, people: [person]) == nil)
        let wasUnsent = client.sent.removeUnsent(person)
        #expect(wasUnsent)
        #expect(client.kind(.added, isThere: true, people: [person]) == .added)
        #expect(client.kind(.removed, isThere: false, people: [person]) == .removed)
    }
}
