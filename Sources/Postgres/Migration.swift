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

/// Another history that leads to the same schema: the one that databases had before the migrations were written anew.
public struct EarlierHistory: Sendable {
    /// SHA-256, as hexadecimal digits, of a line for each of its migrations in order: version, name and checksum, with a
    /// space between them, and no line break after the last.
    public let fingerprint: String
    /// Statements for the simple protocol, without BEGIN and COMMIT, that bring its schema to that of the migrations.
    public let adoption: String

    public init(fingerprint: String, adoption: String) {
        self.fingerprint = fingerprint
        self.adoption = adoption
    }
}

public struct MigrationStatus: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        case pending
        case applied(at: Timestamp)
        /// Applied by a newer release whose schema this release can run on.
        case newer(at: Timestamp)
    }

    public let version: Int
    public let name: String
    public let state: State
}

public enum MigrationError: Error, Sendable, Hashable {
    /// The text of an applied migration has changed since it was applied.
    case checksumDiffers(version: Int, name: String)
    /// The database has a migration that this program does not know, of a release that it is not compatible with.
    case databaseIsAhead(version: Int)
    /// Versions do not count 1, 2, 3 … in order.
    case versionsAreNotInOrder(version: Int)
    /// A migration ended its own transaction.
    case transactionWasEnded(version: Int, name: String)
}
