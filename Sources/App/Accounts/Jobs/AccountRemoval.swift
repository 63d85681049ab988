import Postgres

/// Removes deleted accounts with all that they own, in batches that commit one by one. What a replica leaves undone
/// another goes on with.
public struct AccountRemoval: Sendable {
    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Until the task is cancelled.
    public func run() async {
        await environment.worker("removal of deleted accounts", every: AccountBatch.interval) {
            try await removeNext() ? .atOnce : .afterInterval
        }.run()
    }

    /// Whether there was an account to remove.
    func removeNext() async throws -> Bool {
        let worker = environment.pools.worker
        guard let account = try await worker.run(LeaseDeletedAccount()).first else { return false }
        var isLeft = true
        while isLeft {
            try Task.checkCancellation()
            let batch = Segment(["select remove_deleted_account(\(account), \(AccountBatch.size))"])
            isLeft = try await worker.retrying(batch).first?.first?.bool(0) ?? false
            environment.changes.noteWrite()
        }
        return true
    }
}

enum AccountBatch {
    /// In rows: the readers of the change log wait for the oldest transaction.
    static let size: Int32 = 500
    /// How often a replica looks for an account after it found none.
    static let interval: Duration = .seconds(1)
}

/// A minute out of others' reach; each batch begins the minute anew.
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
