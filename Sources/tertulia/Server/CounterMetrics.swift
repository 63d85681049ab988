import App
import GraphQLTransport

extension MetricRegistry {
    /// The result of the last audit of counters, read at each scrape.
    func observe(_ audit: CounterAuditStatistics) {
        gauge("counter_drift", help: "Counters that differed from their rows in the last audit; NaN before the first.")
        {
            audit.drift.map(Double.init) ?? .nan
        }
        gauge("counter_audit_objects", help: "Objects whose counters the last audit recounted.") {
            Double(audit.objects)
        }
        gauge("counter_audit_finished_timestamp_seconds", help: "When the last audit ended, since 1970.") {
            audit.finishedAt
        }
    }
}
