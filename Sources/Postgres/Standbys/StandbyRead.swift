/// A read that was sent to a standby. The read is run again on the primary if it fails on the standby, if the standby
/// has not passed the position that the read needs, or if the standby was promoted or has another history.
@usableFromInline
final class StandbyRead: Sendable {
    private let standbys: StandbySet
    private let standby: Int
    private let position: TransactionPosition?
    private let request: Request
    private let lane: Lane
    private let onPrimary: @Sendable () -> Request

    init(
        _ standbys: StandbySet, _ standby: Int, atLeast position: TransactionPosition?, _ request: Request,
        _ lane: Lane,
        onPrimary: @escaping @Sendable () -> Request
    ) {
        (self.standbys, self.standby, self.position) = (standbys, standby, position)
        (self.request, self.lane, self.onPrimary) = (request, lane, onPrimary)
    }

    /// The result of the statement. Only one task may wait for it.
    @usableFromInline
    func result() async throws -> QueryResult {
        let outcome: StandbySetState.Outcome
        do {
            let results = try await request.allResults()
            outcome = standbys.outcome(of: results.first.flatMap { StandbyCheck($0) }, atLeast: position)
            if case .served = outcome, results.count == 2 {
                standbys.readEnded(outcome, on: standby)
                return results[1]
            }
        } catch let error as PostgresError {
            outcome = StandbySetState.Outcome(error, lane)
        }
        standbys.readEnded(outcome, on: standby)
        return try await onPrimary().result()
    }
}

extension StandbySetState.Outcome {
    init(_ error: PostgresError, _ lane: Lane) {
        switch error {
        case .unavailable, .connectionLost: self = .unreachable
        // A slow read may miss the deadline although nothing is wrong with the standby.
        case .timeout: self = lane == .slow ? .refused : .late
        case .overloaded, .tooManyParameters, .rolledBack: self = .refused
        case .server(let error):
            // PostgreSQL's manual, "Hot Standby", Handling Query Conflicts: a read is cancelled with 40001 or 40P01.
            if error.sqlstate == .serializationFailure || error.sqlstate == .deadlockDetected {
                self = .conflicting
            } else if error.sqlstate.isInClass("57") && error.sqlstate != .queryCanceled
                || error.sqlstate.isInClass("58") || error.sqlstate.isInClass("53")
            {
                self = .unreachable
            } else {
                self = .refused
            }
        }
    }
}

extension StandbyCheck {
    init?(_ result: QueryResult) {
        guard let row = Rows(result).first else { return nil }
        self.init(row)
    }

    init(_ row: Row) {
        self.init(isInRecovery: row.bool(0), epoch: row.int64(1), xmin: row.int64(2))
    }
}
