import Postgres

/// Moves the objects of an anonymous account to the account that its session signed in to, where the transaction of the
/// sign-in could not move all of them.
public struct AccountMerge: Sendable {
    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Runs until the task is cancelled.
    public func run() async {
        await environment.worker("merging of accounts", every: AccountBatch.interval) {
            try await mergeNext() ? .atOnce : .afterInterval
        }.run()
    }

    /// Merges the next account.
    /// - Returns: false if no merge is pending.
    func mergeNext() async throws -> Bool {
        let worker = environment.pools.worker
        guard let (source, target) = try await worker.run(LeaseAccountMerge()).first else { return false }
        var isLeft = true
        while isLeft {
            try Task.checkCancellation()
            let batch = Segment(["select merge_account(\(source), \(target), \(AccountBatch.size))"])
            isLeft = try await worker.retrying(batch).first?.first { $0.bool(0) } ?? false
            environment.changes.noteWrite()
        }
        return true
    }
}

/// Leases the merge that has waited longest, for a minute. Each batch renews the lease.
private struct LeaseAccountMerge: Statement {
    var sql: SQL {
        """
        update account_merges set leased_until = now() + interval '1 minute' where source_id = any(array( \
        select source_id from account_merges where leased_until <= now() order by leased_until limit 1 \
        for update skip locked)) returning source_id, target_id
        """
    }

    func decode(_ row: Row) -> (source: UUID, target: UUID) { (row.uuid(0), row.uuid(1)) }
}
