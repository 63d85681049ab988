import GraphQLTransport
import Postgres

extension MetricRegistry {
    /// The standbys' statistics, read at each scrape.
    func observe(_ standbys: StandbySet) {
        for (standby, name) in standbys.names.enumerated() {
            let labels = [("standby", name)]
            let pools = standbys.pools(of: standby)
            observe(pools.read, labels: [("pool", "standby_read")] + labels)
            observe(pools.slow, labels: [("pool", "standby_slow")] + labels)
            gauge("standby_takes_reads", help: "1 while reads are sent to the standby.", labels: labels) {
                standbys.statistics(of: standby).takesReads ? 1 : 0
            }
            gauge("standby_lag_seconds", help: "Age of the standby's data when last probed.", labels: labels) {
                standbys.statistics(of: standby).lag / .seconds(1)
            }
            counter("standby_reads_total", help: "Reads that the standby answered.", labels: labels) {
                Double(standbys.statistics(of: standby).reads)
            }
            counter(
                "standby_fallbacks_total", help: "Reads that ran on the primary after a try here.", labels: labels
            ) {
                Double(standbys.statistics(of: standby).fallbacks)
            }
        }
    }
}
