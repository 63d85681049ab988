import Postgres

/// A row of a temporary table, in which an import collects the objects that it has read and checked.
protocol StagedRow: Sendable {
    /// The statement that makes the table.
    static var table: SQL { get }
    static var copy: SQL { get }
    func write(to writer: inout CopyWriter) throws
}

struct StagedAccount: StagedRow {
    /// The row's number in the order of reading.
    let n: Int64
    let uid: String
    let id: UUID
    let email: String?
    let isEmailVerified: Bool
    /// nil for an account that nobody can sign in to.
    let passwordHash: String?
    let name: StagedName?
    let generatedName: String
    let isAnonymous: Bool
    let isDisabled: Bool
    let createdAt: Timestamp

    static var table: SQL {
        """
        create temporary table staged_accounts (n bigint, uid text, id uuid, email text, is_verified boolean, \
        password_hash text, display_name text, name_skeleton text, may_imitate boolean, generated_name text, \
        is_anonymous boolean, is_disabled boolean, created_at timestamptz)
        """
    }

    static var copy: SQL { "copy staged_accounts from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 13)
        writer.write(column: n)
        writer.write(column: uid)
        writer.write(column: id)
        writer.write(column: email)
        writer.write(column: isEmailVerified)
        writer.write(column: passwordHash)
        StagedName.write(name, to: &writer)
        writer.write(column: generatedName)
        writer.write(column: isAnonymous)
        writer.write(column: isDisabled)
        writer.write(column: createdAt)
    }
}

/// A display name, with its skeleton and `WrittenAccount.mayImitate`, by which it is compared with other names.
struct StagedName: Sendable, Equatable {
    let text: String
    let skeleton: String
    let mayImitate: Bool

    static func write(_ name: StagedName?, to writer: inout CopyWriter) {
        writer.write(column: name?.text)
        writer.write(column: name?.skeleton)
        writer.write(column: name?.mayImitate)
    }
}

struct StagedProfile: StagedRow {
    let n: Int64
    let path: String
    let uid: String
    let username: String?
    let name: StagedName?
    let bio: String?
    let image: StagedImage?

    static var table: SQL {
        """
        create temporary table staged_profiles (n bigint, path text, uid text, username text, display_name text, \
        name_skeleton text, may_imitate boolean, bio text, image text, image_id uuid, image_size bigint)
        """
    }

    static var copy: SQL { "copy staged_profiles from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 11)
        writer.write(column: n)
        for text in [path, uid, username] { writer.write(column: text) }
        StagedName.write(name, to: &writer)
        writer.write(column: bio)
        StagedImage.write(image, to: &writer)
    }
}

/// A picture that was checked and will be stored with its object.
struct StagedImage: Sendable, Equatable {
    /// The file's path below the folder of Storage files.
    let path: String
    let id: UUID
    /// The size of the cleaned picture, in bytes.
    let byteCount: Int64

    static func write(_ image: StagedImage?, to writer: inout CopyWriter) {
        writer.write(column: image?.path)
        writer.write(column: image?.id)
        writer.write(column: image?.byteCount)
    }
}

struct StagedThought: StagedRow {
    let n: Int64
    let path: String
    let oldID: String
    let id: UUID
    let author: String
    let category: String
    let title: String?
    let text: String
    let status: String
    let createdAt: Timestamp
    let updatedAt: Timestamp
    let image: StagedImage?

    static var table: SQL {
        """
        create temporary table staged_thoughts (n bigint, path text, old_id text, id uuid, uid text, category text, \
        title text, text text, status text, created_at timestamptz, updated_at timestamptz, image text, image_id uuid, \
        image_size bigint)
        """
    }

    static var copy: SQL { "copy staged_thoughts from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 14)
        writer.write(column: n)
        for text in [path, oldID] { writer.write(column: text) }
        writer.write(column: id)
        for text in [author, category, title, text, status] { writer.write(column: text) }
        for time in [createdAt, updatedAt] { writer.write(column: time) }
        StagedImage.write(image, to: &writer)
    }
}

struct StagedEvent: StagedRow {
    let n: Int64
    let path: String
    let oldID: String
    let id: UUID
    let author: String
    let name: String
    let description: String
    let location: String?
    let timeZone: String?
    let startsAt: Timestamp
    let endsAt: Timestamp
    let createdAt: Timestamp
    let image: StagedImage?

    static var table: SQL {
        """
        create temporary table staged_events (n bigint, path text, old_id text, id uuid, uid text, name text, \
        description text, location text, time_zone text, starts_at timestamptz, ends_at timestamptz, \
        created_at timestamptz, image text, image_id uuid, image_size bigint)
        """
    }

    static var copy: SQL { "copy staged_events from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 15)
        writer.write(column: n)
        for text in [path, oldID] { writer.write(column: text) }
        writer.write(column: id)
        for text in [author, name, description, location, timeZone] { writer.write(column: text) }
        for time in [startsAt, endsAt, createdAt] { writer.write(column: time) }
        StagedImage.write(image, to: &writer)
    }
}

struct StagedComment: StagedRow {
    let n: Int64
    let path: String
    let oldID: String
    let id: UUID
    let author: String
    /// The old id of the thought or event.
    let subject: String
    let text: String
    let createdAt: Timestamp

    static var table: SQL {
        """
        create temporary table staged_comments (n bigint, path text, old_id text, id uuid, uid text, subject text, \
        text text, created_at timestamptz)
        """
    }

    static var copy: SQL { "copy staged_comments from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 8)
        writer.write(column: n)
        for text in [path, oldID] { writer.write(column: text) }
        writer.write(column: id)
        for text in [author, subject, text] { writer.write(column: text) }
        writer.write(column: createdAt)
    }
}

/// A like, a save, a rating or an RSVP.
struct StagedAct: StagedRow {
    enum Kind: String, CaseIterable {
        case likes, saves, ratings, rsvps
    }

    let n: Int64
    let path: String
    let kind: Kind
    let subject: String
    let person: String
    /// nil except for a rating.
    var stars: Int32?
    /// nil except for an RSVP.
    var status: String?
    /// nil for the time of the subject's creation.
    let createdAt: Timestamp?

    static var table: SQL {
        """
        create temporary table staged_acts (n bigint, path text, kind text, subject text, uid text, stars integer, \
        status text, created_at timestamptz)
        """
    }

    static var copy: SQL { "copy staged_acts from stdin (format binary)" }

    func write(to writer: inout CopyWriter) throws {
        try writer.beginRow(columns: 8)
        writer.write(column: n)
        for text in [path, kind.rawValue, subject, person] { writer.write(column: text) }
        writer.write(column: stars)
        writer.write(column: status)
        writer.write(column: createdAt)
    }
}
