import App
import GraphQLTransport
import Logging
import Synchronization
import Testing

@testable import tertulia

@Suite struct ClockWatchTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])

        func watch() -> ClockWatch {
            ClockWatch(
                logger: Logger(label: "test") { label in
                    StructuredLogHandler(label: label, format: .text, level: .info) { line in
                        self.all.withLock { $0.append(line) }
                    }
                })
        }
    }

    private func reading(_ seconds: Double, within uncertainty: Double = 0) -> ClockReading {
        ClockReading(difference: .seconds(seconds), uncertainty: .seconds(uncertainty))
    }

    @Test func aChangeIsToldOnce() throws {
        let lines = Lines()
        let watch = lines.watch()
        for seconds in [0.1, -4.9, -7200, -7201, -4.5, 3, 2, 6, 6] { watch.note(reading(seconds)) }
        let all = lines.all.withLock { $0 }
        try #require(all.count == 3)
        #expect(all[0].contains("The database's clock is 7200 s behind this machine's"))
        #expect(all[1].contains("agree again"))
        #expect(all[2].contains("The database's clock is 6 s ahead of this machine's"))
    }

    /// An answer that took long tells little about the clock.
    @Test func theTimeThatTheComparisonTookIsNoDifference() {
        let lines = Lines()
        lines.watch().note(reading(5.5, within: 0.6))
        #expect(lines.all.withLock { $0.isEmpty })
    }

    @Test func theMetricIsTheLastDifference() {
        let watch = Lines().watch()
        let metrics = MetricRegistry()
        metrics.observe(watch)
        #expect(metrics.text.contains("database_clock_difference_seconds NaN"))
        watch.note(reading(-7200))
        #expect(metrics.text.contains("database_clock_difference_seconds -7200"))
    }
}
