import App
import GraphQLTransport

extension MetricRegistry {
    /// What the tail of the change log says of itself, read when it is asked for.
    func observe(_ changes: ChangeHub) {
        gauge("change_subscriptions", help: "Subscriptions that wait for changes.") {
            Double(changes.figures.subscriptions)
        }
        counter("change_log_rows_total", help: "Rows of the change log that were read.") {
            Double(changes.figures.rows)
        }
        gauge("change_log_lag_seconds", help: "From the newest row's transaction to its delivery.") {
            changes.figures.lag
        }
    }
}
