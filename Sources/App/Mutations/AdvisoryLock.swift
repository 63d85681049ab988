import Postgres

extension SQL {
    /// A statement that takes the lock of this name, and waits while another transaction has it. The lock stands for a
    /// row that may not exist yet, and so cannot be locked itself. The transaction keeps the lock until it ends.
    static func advisoryLock(_ name: String) -> SQL { "select pg_advisory_xact_lock(hashtextextended(\(name), 0))" }
}
