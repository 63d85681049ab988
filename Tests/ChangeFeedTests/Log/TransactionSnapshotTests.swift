import Testing

@testable import ChangeFeed

@Suite struct TransactionSnapshotTests {
    /// Transactions 10 and 12 ran; 11 and 13 had ended, and no younger one.
    @Test func transactionsThatHadEndedAreSeen() throws {
        let snapshot = try #require(TransactionSnapshot("10:14:10,12"))
        #expect((8...15).filter { snapshot.sees($0) } == [8, 9, 11, 13])
        let idle = try #require(TransactionSnapshot("14:14:"))
        #expect((8...15).filter { idle.sees($0) } == Array(8...13))
    }

    @Test(arguments: ["", "10:14", "10:14:x", "10:14:10:12", "a:14:"]) func otherTextsAreRefused(_ text: String) {
        #expect(TransactionSnapshot(text) == nil)
    }
}
