import Eventually
import Testing

@Suite struct EventuallyTests {
    @Test func waitsUntilItComes() async throws {
        var looks = 0
        try await eventually("the third look") {
            looks += 1
            return looks == 3
        }
        #expect(looks == 3)
    }

    /// Both the time and the looks must be over.
    @Test(arguments: [(Duration.zero, 7), (.milliseconds(40), 1)])
    func whatNeverComesIsTold(_ time: Duration, _ least: Int) async {
        let start = ContinuousClock.now
        var looks = 0
        let error = await #expect(throws: NeverHappened.self) {
            try await eventually("look number \(looks)", within: time, looks: least) {
                looks += 1
                return false
            }
        }
        #expect(looks >= least)
        #expect(.now - start >= time)
        let told = error?.description ?? ""
        #expect(told.hasPrefix("PostgresTests/EventuallyTests.swift:"))
        #expect(told.hasSuffix(": never came, in \(looks) looks: look number \(looks)"), "\(told)")
    }

    /// As by a test's time limit.
    @Test func aCancelledTaskTellsWhatItWaitedFor() async {
        let (looks, continuation) = AsyncStream.makeStream(of: Void.self)
        let waiting = Task {
            try await eventually("the end of time") {
                continuation.yield()
                return false
            }
        }
        for await _ in looks { break }
        waiting.cancel()
        let error = await #expect(throws: NeverHappened.self) { try await waiting.value }
        #expect(error?.description.hasSuffix("the end of time") == true)
    }

    @Test func theErrorOfALookIsThrown() async {
        struct Broken: Error {}
        await #expect(throws: Broken.self) { try await eventually("nothing") { throw Broken() } }
    }
}
