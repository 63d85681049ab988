import App
import GraphQLTransport
import Postgres

extension MetricRegistry {
    /// The pools' statistics, read at each scrape.
    func observe(_ pools: Pools) {
        for (name, pool) in [
            ("read", pools.read), ("write", pools.write), ("slow", pools.slow), ("worker", pools.worker),
        ] { observe(pool, labels: [("pool", name)]) }
    }

    /// - Parameter labels: what tells the pool from the others.
    func observe(_ pool: Pool, labels: [(String, String)]) {
        gauge("postgres_connections_up", help: "Connections that work.", labels: labels) {
            Double(pool.statistics.connectionsUp)
        }
        gauge("postgres_segments_in_flight", help: "Segments that wait for their answer.", labels: labels) {
            Double(pool.statistics.inFlight)
        }
        gauge("postgres_segments_waiting", help: "Segments that wait for a connection.", labels: labels) {
            Double(pool.statistics.waiting)
        }
        counter("postgres_statements_total", help: "Statements sent.", labels: labels) {
            Double(pool.statistics.statements)
        }
        counter("postgres_errors_total", help: "Segments that PostgreSQL refused.", labels: labels) {
            Double(pool.statistics.errors)
        }
        counter("postgres_timeouts_total", help: "Segments without an answer in time.", labels: labels) {
            Double(pool.statistics.timeouts)
        }
        counter("postgres_refused_total", help: "Segments for which there was no room to wait.", labels: labels) {
            Double(pool.statistics.refused)
        }
        let configuration = pool.configuration
        for (name, help, value) in [
            ("postgres_connections_limit", "Connections that the pool keeps.", configuration.connections),
            (
                "postgres_segments_in_flight_limit", "Segments that the pool's connections have room for.",
                configuration.connections * configuration.maxInFlight
            ), ("postgres_segments_waiting_limit", "Segments that may wait.", configuration.maxQueue),
        ] { gauge(name, help: help, labels: labels) { Double(value) } }
        histogram(
            "postgres_segment_duration_seconds",
            help: "Seconds from a segment's start to its answer, the wait for a connection included.",
            labels: labels, bounds: DurationCounts.bounds
        ) {
            let durations = pool.statistics.durations
            return (durations.counts, durations.sum)
        }
        counter(
            "postgres_shared_commits_total", help: "Answers that waited for a durable commit that they shared.",
            labels: labels
        ) { Double(pool.statistics.sharedCommits) }
        counter(
            "postgres_durable_commits_total", help: "Durable commits that were sent for such answers.", labels: labels
        ) { Double(pool.statistics.durableCommits) }
        counter("postgres_connections_lost_total", help: "Connections that died.", labels: labels) {
            Double(pool.statistics.connectionsLost)
        }
    }
}
