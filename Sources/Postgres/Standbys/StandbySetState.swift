/// The decisions of a `StandbySet`: which standby a read may be sent to, what its outcome says about the standby, and
/// when a standby is asked again.
///
/// The state has no lock, thread, clock or libpq: events come in as calls, with the time where it matters. A standby
/// takes no reads until a probe has found it in recovery, with the primary's present history, and not too far behind.
struct StandbySetState {
    struct Limits {
        var standbys: Int
        /// A standby whose data are older than this takes no reads.
        var maximumLag: Duration
    }

    /// The reason for which a standby takes no reads.
    enum Absence: String, Sendable, CaseIterable {
        case unprobed = "is not known yet"
        case unreachable = "cannot be reached"
        case late = "does not answer in time"
        case conflicting = "cancelled a read that conflicts with replay"
        case lagging = "lags behind the primary"
        case promoted = "is no standby"
        case otherHistory = "has another history than the primary"
    }

    /// The outcome of one read on a standby. For all but the first, the read is run again on the primary.
    enum Outcome: Equatable, Sendable {
        case served(xmin: Int64)
        /// The standby has not passed the position that the read needs.
        case behind(xmin: Int64)
        case promoted, otherHistory, conflicting, unreachable, late
        /// PostgreSQL refused the read, or the pool had no room for it. The primary's answer counts.
        case refused
    }

    /// The number of late reads, with no answer of the standby between them, after which it takes no reads. Fewer may
    /// be slow by themselves.
    private static let lateReadsOfAbsence = 3
    /// The time for which a standby must have taken reads before its back-off begins anew. A standby that fails again
    /// and again is thus probed, and logged, ever more rarely.
    private static let steadyTime = Duration.seconds(10)

    private struct Standby {
        var absence: Absence? = .unprobed
        var backOff = BackOff()
        var nextProbe: Instant
        /// The time since which the standby has taken reads; nil while it takes none.
        var takesReadsSince: Instant?
        /// The number of late reads since the standby has answered a read or a probe.
        var lateReads = 0
        /// The oldest transaction that was still running when a read found the standby behind. Reads that need this or
        /// a later transaction are not sent before the next probe or read has seen the standby move on.
        var behindAt: Int64?
        var statistics = StandbyStatistics()
    }

    private let limits: Limits
    private var standbys: [Standby]
    private var walOfPrimary: WALTrail
    private(set) var history: PrimaryHistory?
    private var next = 0

    init(_ limits: Limits, now: Instant) {
        self.limits = limits
        standbys = Array(repeating: Standby(nextProbe: now), count: limits.standbys)
        walOfPrimary = WALTrail()
    }

    // MARK: Reads

    /// The standby for a read; nil: the primary.
    /// - Parameters:
    ///   - position: the position that the standby must have passed.
    ///   - only: the one standby that is considered, because the request has already read from it.
    mutating func choose(atLeast position: TransactionPosition?, only: Int? = nil) -> Int? {
        guard let history, position == nil || position?.epoch == history.epoch else { return nil }
        func takes(_ standby: Standby) -> Bool {
            guard standby.absence == nil else { return false }
            guard let position, let behindAt = standby.behindAt else { return true }
            return position.transaction < behindAt
        }
        if let only { return takes(standbys[only]) ? only : nil }
        for offset in standbys.indices {
            let index = (next + offset) % standbys.count
            guard takes(standbys[index]) else { continue }
            next = index + 1
            return index
        }
        return nil
    }

    /// The outcome of a read, by the check in its own segment.
    func outcome(of check: StandbyCheck, atLeast position: TransactionPosition?) -> Outcome {
        guard check.isInRecovery else { return .promoted }
        guard let history, check.epoch == history.epoch, position == nil || position?.epoch == check.epoch else {
            return .otherHistory
        }
        if let position, position.transaction >= check.xmin { return .behind(xmin: check.xmin) }
        return .served(xmin: check.xmin)
    }

    mutating func readEnded(
        _ outcome: Outcome, on index: Int, now: Instant, using generator: inout some RandomNumberGenerator
    ) {
        if case .served(let xmin) = outcome {
            standbys[index].statistics.reads += 1
            standbys[index].lateReads = 0
            if let behindAt = standbys[index].behindAt, xmin > behindAt { standbys[index].behindAt = nil }
            return
        }
        standbys[index].statistics.fallbacks += 1
        // Reads that were in flight when the standby failed say nothing new.
        guard standbys[index].absence == nil else { return }
        switch outcome {
        case .served, .refused: break
        case .behind(let xmin): standbys[index].behindAt = max(xmin, standbys[index].behindAt ?? xmin)
        case .promoted: leaveOut(index, .promoted, now: now, using: &generator)
        case .otherHistory: leaveOut(index, .otherHistory, now: now, using: &generator)
        case .conflicting: leaveOut(index, .conflicting, now: now, using: &generator)
        case .unreachable: leaveOut(index, .unreachable, now: now, using: &generator)
        case .late:
            standbys[index].lateReads += 1
            if standbys[index].lateReads >= Self.lateReadsOfAbsence {
                leaveOut(index, .late, now: now, using: &generator)
            }
        }
    }

    // MARK: Probes

    /// The time until a standby is to be probed: zero for a standby that takes reads.
    func rest(of index: Int, now: Instant) -> Duration { max(.zero, standbys[index].nextProbe - now) }

    /// The primary has answered a probe that was sent at `sent`.
    mutating func primaryAnswered(_ answer: PrimaryProbe, sent: Instant) {
        // After a promotion the log has no epoch of the new history for a moment, so no position has a meaning yet.
        history = answer.isCurrent ? answer.history : nil
        walOfPrimary.append(answer.wal, at: sent)
    }

    mutating func standbyAnswered(
        _ answer: StandbyProbe, on index: Int, now: Instant, using generator: inout some RandomNumberGenerator
    ) {
        let lag = walOfPrimary.lag(of: answer.replayed, now: now)
        standbys[index].statistics.lag = lag
        if let absence = absence(answer.check, lag: lag) {
            return leaveOut(index, absence, now: now, using: &generator)
        }
        standbys[index].absence = nil
        standbys[index].takesReadsSince = standbys[index].takesReadsSince ?? now
        standbys[index].lateReads = 0
        standbys[index].nextProbe = now
        if let behindAt = standbys[index].behindAt, answer.check.xmin > behindAt { standbys[index].behindAt = nil }
    }

    mutating func probeFailed(
        on index: Int, isLate: Bool, now: Instant, using generator: inout some RandomNumberGenerator
    ) {
        leaveOut(index, isLate ? .late : .unreachable, now: now, using: &generator)
    }

    private func absence(_ check: StandbyCheck, lag: Duration) -> Absence? {
        if !check.isInRecovery { return .promoted }
        guard let history else { return .unprobed }
        if check.epoch != history.epoch { return .otherHistory }
        return lag > limits.maximumLag ? .lagging : nil
    }

    private mutating func leaveOut(
        _ index: Int, _ absence: Absence, now: Instant, using generator: inout some RandomNumberGenerator
    ) {
        if let since = standbys[index].takesReadsSince, now - since >= Self.steadyTime {
            standbys[index].backOff.succeeded()
        }
        standbys[index].takesReadsSince = nil
        standbys[index].absence = absence
        standbys[index].nextProbe = now + standbys[index].backOff.failed(using: &generator)
    }

    // MARK: Metrics and the log

    func absence(of index: Int) -> Absence? { standbys[index].absence }

    func statistics(of index: Int) -> StandbyStatistics {
        var statistics = standbys[index].statistics
        statistics.takesReads = standbys[index].absence == nil
        return statistics
    }
}

/// The state of a standby and its counts, for metrics.
public struct StandbyStatistics: Sendable, Equatable {
    public var takesReads = false
    /// The number of reads that the standby has answered.
    public var reads = 0
    /// The number of reads that were sent to the standby, and then run again on the primary.
    public var fallbacks = 0
    /// The age of the standby's data when it was last probed.
    public var lag: Duration = .zero
}

/// The history that the primary writes.
struct PrimaryHistory: Equatable, Sendable {
    /// The epoch as positions contain it.
    let epoch: Int64
    /// The epoch as cursors of the change log contain it.
    let cursorEpoch: Int64
}

struct PrimaryProbe: Equatable, Sendable {
    let history: PrimaryHistory
    /// True where the epoch began on the timeline that the primary writes.
    let isCurrent: Bool
    /// The end of the WAL, in bytes.
    let wal: Int64
}

/// The standby's state in the segment of a read, before the read. A standby never goes back within a session, so the
/// read sees at least this state.
struct StandbyCheck: Equatable, Sendable {
    let isInRecovery: Bool
    let epoch: Int64
    /// The oldest transaction that is not known to have ended.
    let xmin: Int64
}

struct StandbyProbe: Equatable, Sendable {
    let check: StandbyCheck
    /// The end of the WAL that was replayed, in bytes.
    let replayed: Int64
}
