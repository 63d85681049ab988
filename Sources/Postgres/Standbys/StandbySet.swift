import Logging
import Synchronization

/// The settings of a `StandbySet`.
public struct StandbySetConfiguration: Sendable {
    public struct Standby: Sendable {
        /// The standby's name in metrics and the log.
        public var name: String
        /// The pools of its lanes. The deadline of a read on the standby is the pool's.
        public var read: PoolConfiguration
        public var slow: PoolConfiguration

        public init(name: String, read: PoolConfiguration, slow: PoolConfiguration) {
            (self.name, self.read, self.slow) = (name, read, slow)
        }
    }

    public var standbys: [Standby]
    /// The pool in which the primary is probed.
    public var primary: Pool
    /// Selects, in the segment of each read on a standby: whether it is in recovery, its epoch (`int8`), and the xmin
    /// of its snapshot (`xid8`).
    public var check: SQL
    /// Selects the columns of `check`, and the end of the replayed WAL in bytes (`int8`).
    public var standbyProbe: SQL
    /// Selects the epoch, the epoch as cursors contain it, whether the epoch began on the present timeline, and the end
    /// of the WAL in bytes.
    public var primaryProbe: SQL
    /// A standby whose data are older than this takes no reads.
    public var maximumLag: Duration = .seconds(5)
    public var logger = Logger(label: "postgres")

    public init(
        _ standbys: [Standby], primary: Pool, check: SQL, standbyProbe: SQL, primaryProbe: SQL
    ) {
        (self.standbys, self.primary) = (standbys, primary)
        (self.check, self.standbyProbe, self.primaryProbe) = (check, standbyProbe, primaryProbe)
    }
}

/// The standbys of a primary. Reads that may be a little old are sent to them; the primary answers a read that a
/// standby cannot. `StandbySetState` decides which standbys take reads. The owner has to call the probes again and
/// again.
public final class StandbySet: Sendable {
    /// The longest time that a standby's probe may take. The primary's probe has its pool's deadline.
    private static let patience = Duration.milliseconds(500)

    private let configuration: StandbySetConfiguration
    private let pools: [(read: Pool, slow: Pool)]
    private let state: Guarded<StandbySetState>
    /// The generation of the primary's timeline in which its history was last asked for. In a later one the history may
    /// be another's, and no standby is used.
    private let probedGeneration = Atomic<Int>(0)

    /// Begins to connect in the background.
    public init(_ configuration: StandbySetConfiguration) {
        self.configuration = configuration
        pools = configuration.standbys.map { (Pool($0.read), Pool($0.slow)) }
        let limits = StandbySetState.Limits(
            standbys: pools.count, maximumLag: configuration.maximumLag)
        state = Guarded(StandbySetState(limits, now: .now()))
    }

    public func shutdown() async {
        for (read, slow) in pools {
            await read.shutdown()
            await slow.shutdown()
        }
    }

    // MARK: Reads

    /// The standby for a read; nil: the primary.
    /// - Parameters:
    ///   - position: the position that the standby must have passed.
    ///   - only: the one standby that is considered, because the request has already read from it.
    public func choose(atLeast position: TransactionPosition?, only: Int? = nil) -> Int? {
        isOfThePrimary ? state.withLock { $0.choose(atLeast: position, only: only) } : nil
    }

    /// The position of a transaction that a cursor of the change log names; nil where the cursor is of another history,
    /// or where the primary's history is not known.
    public func position(of transaction: Int64, cursorEpoch: Int64) -> TransactionPosition? {
        guard isOfThePrimary, let history = state.withLock({ $0.history }), history.cursorEpoch == cursorEpoch else {
            return nil
        }
        return TransactionPosition(epoch: history.epoch, transaction: transaction)
    }

    /// Sends a read to a standby. Where the standby fails, or has not passed the position, the read is run on `primary`
    /// in the rest of that pool's deadline. `onFallback` is called before that.
    public func start<S: Statement>(
        _ statement: S, settings: SQL?, on standby: Int, atLeast position: TransactionPosition?, orOn primary: Pool,
        onFallback: @escaping @Sendable () -> Void
    ) -> PendingRows<S> {
        let sql = statement.sql
        let deadline = Instant.now() + primary.configuration.deadline
        let pool = S.lane == .slow ? pools[standby].slow : pools[standby].read
        let request = pool.start(
            settings: settings, first: configuration.check, rest: [sql], deadline: nil, source: .type(S.self),
            uncountedRows: 1)
        let read = StandbyRead(self, standby, atLeast: position, request, S.lane) {
            onFallback()
            let left = max(.zero, deadline - .now())
            return primary.start(settings: settings, first: sql, rest: [], deadline: left, source: .type(S.self))
        }
        return PendingRows(statement: statement, request: request, onStandby: read)
    }

    func outcome(of check: StandbyCheck?, atLeast position: TransactionPosition?) -> StandbySetState.Outcome {
        guard let check, isOfThePrimary else { return .otherHistory }
        return state.withLock { $0.outcome(of: check, atLeast: position) }
    }

    /// False from the moment when another primary was seen until its history is known.
    private var isOfThePrimary: Bool {
        timeline?.isOutdated(probedGeneration.load(ordering: .acquiring)) != true
    }

    private var timeline: PrimaryTimeline? { configuration.primary.configuration.connection.timeline }

    func readEnded(_ outcome: StandbySetState.Outcome, on standby: Int) {
        change(standby) { $0.readEnded(outcome, on: standby, now: .now(), using: &$1) }
    }

    // MARK: Probes

    public var indices: Range<Int> { pools.indices }

    /// Probes the primary, and then each standby.
    public func probe() async {
        await probePrimary()
        for standby in pools.indices { await probe(standby) }
    }

    /// Asks the primary for its history and the end of its WAL. Without an answer, those of the last probe stay.
    public func probePrimary() async {
        let sent = Instant.now()
        let generation = timeline?.current ?? 0
        let probe = Probe(sql: configuration.primaryProbe) { row in
            PrimaryProbe(
                history: PrimaryHistory(epoch: row.int64(0), cursorEpoch: row.int64(1)), isCurrent: row.bool(2),
                wal: row.int64(3))
        }
        guard let answer = try? await configuration.primary.run(probe).first else { return }
        state.withLock { $0.primaryAnswered(answer, sent: sent) }
        probedGeneration.store(generation, ordering: .releasing)
    }

    /// Probes a standby, unless it has just failed and rests.
    public func probeIfDue(_ standby: Int) async {
        if state.withLock({ $0.rest(of: standby, now: .now()) }) == .zero { await probe(standby) }
    }

    private func probe(_ standby: Int) async {
        let probe = Probe(sql: configuration.standbyProbe) {
            StandbyProbe(check: StandbyCheck($0), replayed: $0.int64(3))
        }
        do {
            guard let answer = try await pools[standby].read.run(probe, deadline: Self.patience).first else {
                throw PostgresError.unavailable
            }
            change(standby) { $0.standbyAnswered(answer, on: standby, now: .now(), using: &$1) }
        } catch is CancellationError {
        } catch {
            let isLate = if case PostgresError.timeout = error { true } else { false }
            change(standby) { $0.probeFailed(on: standby, isLate: isLate, now: .now(), using: &$1) }
        }
    }

    /// Applies an event to the state, and logs if the standby thereby begins or ceases to take reads.
    private func change(
        _ standby: Int, _ event: (inout StandbySetState, inout SystemRandomNumberGenerator) -> Void
    ) {
        var generator = SystemRandomNumberGenerator()
        let (before, after) = state.withLock { state in
            let before = state.absence(of: standby)
            event(&state, &generator)
            return (before, state.absence(of: standby))
        }
        let name = configuration.standbys[standby].name
        if let after, after != .unprobed, before == nil || before == .unprobed {
            configuration.logger.warning(
                "a standby takes no reads", metadata: ["standby": "\(name)", "reason": "\(after.rawValue)"])
        } else if before != nil, after == nil {
            configuration.logger.notice("a standby takes reads", metadata: ["standby": "\(name)"])
        }
    }

    // MARK: Metrics

    /// The pools of a standby's lanes.
    public func pools(of standby: Int) -> (read: Pool, slow: Pool) { pools[standby] }

    public var names: [String] { configuration.standbys.map(\.name) }

    public func statistics(of standby: Int) -> StandbyStatistics { state.withLock { $0.statistics(of: standby) } }
}

private struct Probe<Output: Sendable>: Statement {
    let sql: SQL
    let decoding: @Sendable (Row) -> Output

    init(sql: SQL, _ decoding: @escaping @Sendable (Row) -> Output) { (self.sql, self.decoding) = (sql, decoding) }

    func decode(_ row: Row) -> Output { decoding(row) }
}
