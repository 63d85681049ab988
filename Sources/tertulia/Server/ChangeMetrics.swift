import ChangeFeed
import GraphQLTransport

extension MetricRegistry {
    /// The statistics of the change log's tail and its subscriptions, read at each scrape.
    func observe(_ changes: ChangeHub) {
        gauge("change_subscriptions", help: "Subscriptions that wait for changes.") {
            Double(changes.statistics.subscriptions)
        }
        gauge("change_topics", help: "Lists, objects and accounts that somebody has subscribed to.") {
            Double(changes.statistics.topics)
        }
        counter("change_log_rows_total", help: "Changes that were read from the log.") {
            Double(changes.statistics.rows)
        }
        gauge("change_log_lag_rows", help: "Committed rows that wait for an older transaction, at most 1000.") {
            Double(changes.statistics.waiting)
        }
        gauge(
            "change_log_lag_seconds",
            help: "Since the oldest row that waits; where none does, from the newest's transaction to its delivery."
        ) {
            changes.statistics.lag
        }
        counter("change_events_total", help: "Changes given to subscriptions.") { Double(changes.statistics.events) }
        gauge("change_queued_events", help: "Changes that wait for the readers of their subscriptions.") {
            Double(changes.queues.sum)
        }
        gauge("change_longest_queue", help: "The same of the one that has most.") {
            Double(changes.queues.longest)
        }
        gauge("change_deliveries_waiting", help: "Batches of deliveries that no task has taken yet.") {
            Double(changes.waitingDeliveries)
        }
        counter("change_overtaken_total", help: "Subscriptions ended since their reader fell behind.") {
            Double(changes.statistics.overtaken)
        }
        counter(
            "change_histories_lost_total",
            help: "Times that the database was found to have lost history: every cursor from before has expired."
        ) {
            Double(changes.statistics.lostHistories)
        }
    }
}
