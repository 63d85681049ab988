import GraphQLTransport

extension MetricRegistry {
    /// The last comparison of the clocks, read at each scrape.
    func observe(_ clock: ClockWatch) {
        gauge(
            "database_clock_difference_seconds",
            help: "The database's clock less this machine's; NaN before the first comparison."
        ) { clock.difference }
    }
}
