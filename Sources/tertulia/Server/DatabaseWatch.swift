import App
import GraphQLTransport
import Logging
import Postgres
import Synchronization

/// Probes the database for `/readyz` and the log, and repairs the private cluster. A probe takes PostgreSQL about 12 ms
/// of CPU, most of it for the start of a session. The comparison of the columns' types, once a minute, takes 8 ms more.
final class DatabaseWatch: Sendable {
    private struct State {
        var answer = DatabaseProbe.Answer.writes
        var answeredAt: ContinuousClock.Instant?
        var asking: Task<Void, Never>?
        var isRepairing = false
        var repairs = 0
        var nextRepair = ContinuousClock.now
    }

    private let ask: @Sendable () async -> DatabaseProbe.Answer
    private let repair: (@Sendable () async throws -> Void)?
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter repair: makes PostgreSQL work again after its files were upgraded while it ran; nil if that is an
    ///   administrator's task.
    init(
        ask: @escaping @Sendable () async -> DatabaseProbe.Answer, repair: (@Sendable () async throws -> Void)?,
        logger: Logger
    ) {
        self.ask = ask
        self.repair = repair
        self.logger = logger
    }

    /// - Parameters:
    ///   - columnFaults: those of the server's pools.
    ///   - clock: is told how the clocks of the database and of this machine compare.
    convenience init(_ database: Database, columnFaults: ColumnFaults, clock: ClockWatch, logger: Logger) {
        let probe = DatabaseProbe(
            ServerPools.probing(database.url, logger: logger), columnFaults: columnFaults,
            onClock: { clock.note($0) })
        if let cluster = database.cluster {
            // The postmaster from before the probe: one that another process has started since is not the one that
            // failed.
            let asked = Mutex<Postmaster?>(nil)
            self.init(
                ask: {
                    let running = Postmaster.running(in: cluster.location.data)
                    asked.withLock { $0 = running }
                    return await probe.ask()
                },
                repair: { if let seen = asked.withLock({ $0 }) { try await cluster.restart(seen) } }, logger: logger)
        } else {
            self.init(ask: { await probe.ask() }, repair: nil, logger: logger)
        }
    }

    /// The readiness by an answer that is at most a second old, or by the last one if no answer comes within a second.
    /// - Parameter isReached: whether the pools reach the database.
    func readiness(isReached: Bool) async -> Readiness {
        guard isReached else { return unreached }
        let now = ContinuousClock.now
        if state.withLock({ $0.answeredAt.map { $0 + .seconds(1) < now } ?? true }) { begin() }
        while state.withLock({ $0.asking != nil && !$0.isRepairing }), ContinuousClock.now < now + .seconds(1) {
            try? await Task.sleep(for: .milliseconds(2))
        }
        return switch state.withLock({ $0.answer }) {
        case .writes, .noSession: .ready
        case .readsOnly: .readsOnly
        case .cannotLoadLibraries: .notReady(reason: "PostgreSQL was upgraded while it ran, and must be restarted")
        case .fails: .notReady(reason: "the database cannot run the server's functions")
        case .hasOtherColumns(let reason): Self.notReady(reason)
        }
    }

    /// The readiness while the pools do not reach the database, or cannot read the sessions that are revoked.
    private var unreached: Readiness {
        if case .hasOtherColumns(let reason) = state.withLock({ $0.answer }) { return Self.notReady(reason) }
        return .notReady(reason: "the database does not answer")
    }

    private static func notReady(_ otherColumns: String) -> Readiness {
        .notReady(reason: "the database is not this release's: \(otherColumns)")
    }

    /// Probes every five seconds until the task is cancelled. A probe that a frozen database does not answer holds
    /// nothing up.
    func run() async {
        await PeriodicWorker("the watch of the database", every: .seconds(5), logger: logger) {
            self.begin()
            return .afterInterval
        }.run()
    }

    /// Waits for a repair that has begun, so that it does not meet the cluster's shutdown.
    func settled() async {
        let repairing = state.withLock { $0.isRepairing ? $0.asking : nil }
        await repairing?.value
    }

    private func begin() {
        state.withLock { state in
            guard state.asking == nil else { return }
            state.asking = Task {
                await self.askOnce()
                self.state.withLock { $0.asking = nil }
            }
        }
    }

    func askOnce() async {
        let answer = await ask()
        let before = state.withLock { state in
            state.answeredAt = .now
            defer { if answer != .noSession { state.answer = answer } }
            return state.answer
        }
        if answer != before, answer != .noSession { log(answer) }
        switch answer {
        case .cannotLoadLibraries: await repairIfDue()
        case .writes, .readsOnly: state.withLock { $0.repairs = 0 }
        case .fails, .hasOtherColumns, .noSession: break
        }
    }

    private func log(_ answer: DatabaseProbe.Answer) {
        switch answer {
        case .writes: logger.notice("The database works again")
        case .readsOnly: logger.warning("The database only reads: queries go on, mutations are refused")
        case .cannotLoadLibraries where repair == nil:
            logger.error(
                """
                PostgreSQL was upgraded while it ran: its new sessions cannot load PL/pgSQL, so nothing can be written. \
                Restart it (systemctl restart postgresql, or as its supervisor has it)
                """)
        case .cannotLoadLibraries:
            logger.error("PostgreSQL was upgraded while it ran: its new sessions cannot load PL/pgSQL")
        case .fails(let reason):
            logger.error("The database cannot run the server's functions", metadata: ["error": "\(reason)"])
        case .hasOtherColumns(let reason):
            logger.error("The database is not this release's", metadata: ["error": "\(reason)"])
        case .noSession: break
        }
    }

    /// Repairs at once, then at growing intervals: an upgrade replaces one file after another, so the first repair may
    /// come too early.
    private func repairIfDue() async {
        guard let repair else { return }
        let isDue = state.withLock { state in
            guard state.nextRepair <= .now else { return false }
            state.isRepairing = true
            return true
        }
        guard isDue else { return }
        do {
            try await repair()
        } catch {
            logger.error("The private cluster could not be restarted", metadata: ["error": "\(error)"])
        }
        state.withLock { state in
            state.isRepairing = false
            state.repairs += 1
            state.nextRepair = .now + .seconds(1 << min(state.repairs, 8))
        }
    }
}
