import Testing

@testable import TertuliaClient

@Suite struct ChangesMeanwhileTests {
    private let changes = ChangesMeanwhile<Int>()

    @Test func anAnswerGetsWhatCameSinceItWasAskedFor() {
        let first = changes.begin()
        changes.note(1)
        let second = changes.begin()
        changes.note(2)
        #expect(changes.changes(since: first) == [1, 2])
        #expect(changes.changes(since: second) == [2])
        #expect(changes.changes == [1, 2])
        changes.end(first)
        #expect(changes.changes == [2])
        #expect(changes.changes(since: second) == [2])
        changes.end(second)
        #expect(changes.changes == [])
    }

    /// Answers that follow each other without a pause keep no changes from before the oldest of them.
    @Test func nothingIsKeptThatNoAnswerNeeds() {
        changes.note(0)
        var mark = changes.begin()
        for number in 1...100 {
            changes.note(number)
            let next = changes.begin()
            #expect(changes.changes(since: mark) == [number])
            changes.end(mark)
            #expect(changes.changes == [])
            mark = next
        }
        changes.end(mark)
    }

    @Test func answersThatWereAskedForTogetherEndOnTheirOwn() {
        let (first, second) = (changes.begin(), changes.begin())
        changes.note(1)
        changes.end(first)
        #expect(changes.changes(since: second) == [1])
        changes.end(second)
        #expect(changes.changes == [])
    }
}
