import Postgres

/// Removes deleted accounts with all that they own, in batches that commit one by one. If a replica stops, another
/// continues once its lease has ended.
public struct AccountRemoval: Sendable {
    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Runs until the task is cancelled.
    public func run() async {
        await environment.worker("removal of deleted accounts", every: AccountBatch.interval) {
            try await removeNext() ? .atOnce : .afterInterval
        }.run()
    }

    /// Removes the next account.
    /// - Returns: false if no removal is pending.
    func removeNext() async throws -> Bool {
        let worker = environment.pools.worker
        guard let account = try await worker.run(LeaseDeletedAccount()).first else { return false }
        var isLeft = true
        while isLeft {
            try Task.checkCancellation()
            let batch = Segment(["select remove_deleted_account(\(account), \(AccountBatch.size))"])
            isLeft = try await worker.retrying(batch).first?.first { $0.bool(0) } ?? false
            environment.changes.noteWrite()
        }
        return true
    }
}

enum AccountBatch {
    /// Rows a transaction. Transactions stay short because the readers of the change log wait for the oldest one.
    static let size: Int32 = 500
    /// How often a replica looks for an account after it found none.
    static let interval: Duration = .seconds(1)
}

/// Leases the removal that has waited longest, for a minute. Each batch renews the lease.
private struct LeaseDeletedAccount: Statement {
    var sql: SQL {
        """
        update deleted_accounts set leased_until = now() + interval '1 minute' where user_id = any(array( \
        select user_id from deleted_accounts where leased_until <= now() order by leased_until limit 1 \
        for update skip locked)) returning user_id
        """
    }

    func decode(_ row: Row) -> UUID { row.uuid(0) }
}
