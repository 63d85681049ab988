import App
import GraphQLTransport
import Postgres

extension MetricRegistry {
    /// The pools' statistics, read at each scrape.
    func observe(_ pools: Pools) {
        for (name, pool) in [
            ("read", pools.read), ("write", pools.write), ("slow", pools.slow), ("worker", pools.worker),
        ] {
            let labels = [("pool", name)]
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
            counter("postgres_connections_lost_total", help: "Connections that died.", labels: labels) {
                Double(pool.statistics.connectionsLost)
            }
        }
    }
}
