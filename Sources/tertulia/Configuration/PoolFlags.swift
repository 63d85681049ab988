import ArgumentParser

/// The settings of the pools' sizes.
struct PoolFlags: ParsableArguments {
    private static let standard = PoolSizes(cores: 1)

    private static func connections(_ variable: String, _ help: String) -> SettingForm<Int> {
        .number(variable, 1...1000, of: "a number of connections", help)
    }

    @Option(
        PoolFlags.connections("DATABASE_READ_CONNECTIONS", "Database connections for reads, which share them."),
        derived: "twice the cores and one")
    var read: DerivedSetting<Int>

    @Option(
        PoolFlags.connections(
            "DATABASE_WRITE_CONNECTIONS", "Database connections for mutations, each alone in its own until its commit."),
        default: PoolFlags.standard.write)
    var write: Setting<Int>

    @Option(
        PoolFlags.connections("DATABASE_SLOW_CONNECTIONS", "Database connections for slow reads, such as search."),
        derived: "half of the cores, at least 2")
    var slow: DerivedSetting<Int>

    @Option(
        PoolFlags.connections(
            "DATABASE_WORKER_CONNECTIONS", "Database connections for sign-in and work in the background."),
        default: PoolFlags.standard.worker)
    var worker: Setting<Int>

    @Option(
        .boolean("DATABASE_GROUP_COMMIT", "Whether writes that wait for a connection share a durable commit."),
        default: true)
    var groupCommit: Setting<Bool>
}
