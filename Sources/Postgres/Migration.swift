/// A step of the schema's history. It is never edited after it has been applied.
public struct Migration: Sendable, Hashable {
    /// The migration's number, counted from 1 without gaps.
    public let version: Int
    public let name: String
    /// Statements for the simple query protocol, without BEGIN and COMMIT.
    public let sql: String

    public init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
    }
}

/// A former history of migrations, which existing databases have. The current migrations up to `lastVersion` have
/// replaced it.
public struct EarlierHistory: Sendable {
    /// The SHA-256, in hexadecimal, of one line for each of its migrations, in order. A line is version, name and
    /// checksum with a space between them; the last line has no line break.
    public let fingerprint: String
    /// The last of the migrations that have replaced it.
    public let lastVersion: Int
    /// Statements that turn the former schema into that of the current migrations up to `lastVersion`. They are sent by
    /// the simple query protocol, and have no BEGIN and COMMIT.
    public let adoption: String

    public init(fingerprint: String, lastVersion: Int, adoption: String) {
        self.fingerprint = fingerprint
        self.lastVersion = lastVersion
        self.adoption = adoption
    }
}

/// A migration with its state in a database.
public struct MigrationStatus: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        case pending
        case applied(at: Timestamp)
        /// Applied by a newer release, on whose schema this release can run.
        case newer(at: Timestamp)
    }

    public let version: Int
    public let name: String
    public let state: State
}

/// The reason why a database cannot be migrated.
public enum MigrationError: Error, Sendable, Hashable {
    /// The text of an applied migration has changed since it was applied.
    case checksumDiffers(version: Int, name: String)
    /// The database has a migration that this release does not know. This release cannot run on the schema of the
    /// release that applied the migration.
    case databaseIsAhead(version: Int)
    /// The versions do not ascend.
    case versionsAreNotInOrder(version: Int)
    /// A migration ended its own transaction.
    case transactionWasEnded(version: Int, name: String)
}
