import GraphQL
import GraphQLTransport
import Logging
import Postgres
import Synchronization
import Testing

@testable import tertulia

@Suite struct SlowOperationsTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])

        var logger: Logger {
            Logger(label: "test") { label in
                StructuredLogHandler(label: label, format: .text, level: .info) { line in
                    self.all.withLock { $0.append(line) }
                }
            }
        }
    }

    @Test func logsAFewAtATimeAndSaysHowManyWereLeftOut() {
        let lines = Lines()
        let metrics = MetricRegistry()
        let slow = SlowOperations(threshold: .milliseconds(5), metrics: metrics, logger: lines.logger)
        let execution = ExecutionRecord(detail: .execution)
        let start = ContinuousClock.now
        for number in 0..<25 { slow.note(nil, execution, after: .seconds(1), [:], at: start + .milliseconds(number)) }
        #expect(lines.all.withLock { $0.count } == 10)
        slow.note(nil, execution, after: .seconds(2), ["outcome": "success"], at: start + .seconds(10))
        let all = lines.all.withLock { $0 }
        #expect(all.count == 11)
        #expect(all.dropLast().allSatisfy { !$0.contains("left_out") })
        #expect(all.last?.contains("slow operation duration_us=2000000 left_out=15 outcome=success") == true)
        #expect(metrics.text.contains("graphql_slow_operations_total 26\n"))
    }
}
