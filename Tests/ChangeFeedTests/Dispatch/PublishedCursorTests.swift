import Testing

@testable import ChangeFeed

@Suite struct PublishedCursorTests {
    @Test func readersMeetNoHalfOfAWrite() async {
        let published = PublishedCursor()
        #expect(published.load() == nil)
        let writer = Task.detached {
            for number in Int64(1)...200_000 {
                let position = ChangePosition(transaction: number, row: number)
                published.store(
                    ChangeCursor(epoch: number, position: position, held: number.isMultiple(of: 3) ? position : nil))
            }
        }
        var seen: Int64 = 0
        while seen < 200_000 {
            // Yields, because the writer may need this thread.
            guard let cursor = published.load(), cursor.epoch > seen else {
                await Task.yield()
                continue
            }
            let words = Set([
                cursor.epoch, cursor.position.transaction, cursor.position.row,
                cursor.held?.transaction ?? cursor.epoch, cursor.held?.row ?? cursor.epoch,
            ])
            #expect(words == [cursor.epoch])
            #expect((cursor.held != nil) == cursor.epoch.isMultiple(of: 3))
            seen = cursor.epoch
        }
        await writer.value
        published.store(nil)
        #expect(published.load() == nil)
    }
}
