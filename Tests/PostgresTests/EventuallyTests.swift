import TestSupport
import Testing

@Suite struct EventuallyTests {
    @Test func looksUntilTheConditionHolds() async throws {
        var looks = 0
        try await eventually("the third look", within: .seconds(86_400)) {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)
    }

    @Test func tellsWhatNeverCame() async {
        let start = ContinuousClock.now
        var looks = 0
        let error = await #expect(throws: NeverHappened.self) {
            try await eventually("look number \(looks + 1)", within: .milliseconds(40)) {
                looks += 1
                return false
            }
        }
        #expect(.now - start >= .milliseconds(40))
        let told = error?.description ?? ""
        #expect(told.hasPrefix("PostgresTests/EventuallyTests.swift:"), "\(told)")
        #expect(told.hasSuffix(": never came: look number \(looks + 1)"), "\(told)")
    }

    /// A test's time limit cancels its task.
    @Test func aCancelledTaskTellsWhatItWaitedFor() async {
        let (looks, continuation) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            try await eventually("the end of time", within: .seconds(86_400)) {
                continuation.yield()
                return false
            }
        }
        for await _ in looks { break }
        waiting.cancel()
        let error = await #expect(throws: NeverHappened.self) { try await waiting.value }
        #expect(error?.description.hasSuffix("the end of time") == true)
    }

    @Test func throwsTheErrorOfALook() async {
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await eventually("nothing") { throw Broken() } }
    }

    @Test func anOperationWithoutAnEndIsCancelled() async throws {
        let error = await #expect(throws: NeverHappened.self) {
            try await withDeadline("an element", within: .milliseconds(40)) {
                for await _ in Self.endless() {}
                #expect(Task.isCancelled)
            }
        }
        #expect(error?.description.hasSuffix(": never came: an element") == true)
    }

    @Test func aCancelledTaskCancelsItsOperation() async {
        let (begun, continuation) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            try await withDeadline("an element", within: .seconds(86_400)) {
                continuation.yield()
                for await _ in Self.endless() {}
            }
        }
        for await _ in begun { break }
        waiting.cancel()
        await #expect(throws: NeverHappened.self) { try await waiting.value }
    }

    @Test func anOperationInTimeGivesItsValue() async throws {
        let answer = try await withDeadline("an answer", within: .seconds(86_400)) { 42 }
        #expect(answer == 42)
    }

    /// A stream of its own for each test: a cancelled reader ends its stream.
    private static func endless() -> AsyncStream<Void> { AsyncStream { _ in } }
}
