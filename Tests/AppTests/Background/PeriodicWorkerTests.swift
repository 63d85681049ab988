import Logging
import Postgres
import Synchronization
import Testing

@testable import App

@Suite struct PeriodicWorkerTests {
    private struct Broken: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a worker until `count` runs have begun.
    private func runs(
        _ count: Int, every interval: Duration, longestPause: Duration = .seconds(5), log: LogRecorder = LogRecorder(),
        _ work: @escaping @Sendable (Int) throws -> PeriodicWorker.Next
    ) async -> [ContinuousClock.Instant] {
        let begun = Mutex<[ContinuousClock.Instant]>([])
        await withTaskGroup(of: Void.self) { group in
            let worker = PeriodicWorker("test", every: interval, longestPause: longestPause, logger: log.logger) {
                let number = begun.withLock { begun in
                    begun.append(.now)
                    return begun.count
                }
                if number >= count { withUnsafeCurrentTask { $0?.cancel() } }
                return try work(number)
            }
            group.addTask { await worker.run() }
        }
        return begun.withLock { $0 }
    }

    @Test func restsForTheInterval() async {
        let begun = await runs(3, every: .milliseconds(50)) { _ in .afterInterval }
        #expect(begun.count == 3)
        // Cut short by the jitter.
        #expect(begun[2] - begun[0] >= .milliseconds(90))
    }

    @Test func goesOnAtOnceWhereThereIsMore() async {
        let begun = await runs(5, every: .seconds(60)) { _ in .atOnce }
        #expect(begun.count == 5)
    }

    @Test func pausesDoubleWhileItFails() async {
        let log = LogRecorder()
        let begun = await runs(5, every: .milliseconds(20), longestPause: .milliseconds(80), log: log) { number in
            if number < 5 { throw Broken(description: "no database") }
            return .afterInterval
        }
        let pauses = zip(begun, begun.dropFirst()).map { $1 - $0 }
        for (pause, least) in zip(pauses, [20, 40, 80, 80]) { #expect(pause >= .milliseconds(least)) }
        // The same failure is told once.
        #expect(log.all == [["work": "test", "error": "no database"]])
    }

    @Test func tellsOfEachOtherFailure() async {
        let log = LogRecorder()
        _ = await runs(4, every: .milliseconds(1), log: log) { number in throw Broken(description: "\(number / 2)") }
        // The last run was cancelled.
        #expect(log.all.map { $0["error"] } == ["0", "1"])
    }

    /// Were the rest not broken off, it would take a day.
    @Test(.timeLimit(.minutes(20))) func endsInTheMiddleOfARest() async throws {
        let task = Task {
            await PeriodicWorker("test", every: .seconds(86_400), logger: LogRecorder().logger) { .afterInterval }.run()
        }
        try await Task.sleep(for: .milliseconds(20))
        task.cancel()
        await task.value
    }
}
