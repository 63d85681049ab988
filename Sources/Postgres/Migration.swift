/// A step of the schema's history, never edited once it has been applied.
public struct Migration: Sendable, Hashable {
    /// Counted from 1, without gaps.
    public let version: Int
    public let name: String
    /// Statements for the simple protocol, without BEGIN and COMMIT.
    public let sql: String

    public init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }
}

public struct MigrationStatus: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        case pending
        case applied(at: Timestamp)
        /// Of a newer release, which this one is compatible with.
        case newer(at: Timestamp)
    }

    public let version: Int
    public let name: String
    public let state: State
}

public enum MigrationError: Error, Sendable, Hashable {
    /// The text of an applied migration is no longer what was applied.
    case checksumDiffers(version: Int, name: String)
    /// The database has a migration that this program does not know, of a release that it is not compatible with.
    case databaseIsAhead(version: Int)
    /// Versions do not count 1, 2, 3 … in order.
    case versionsAreNotInOrder(version: Int)
    /// A migration ended its own transaction.
    case transactionWasEnded(version: Int, name: String)
}
