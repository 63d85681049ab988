import GraphQL
import Postgres

/// The public part of an account. Its properties decode columns of the row when they are read.
struct User: SharedObject {
    /// The alias `u` is the users table.
    static let columns: StaticString =
        "u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at"

    /// The same columns within a subselect whose alias is `page`, which names the last one `joined_at`.
    static let columnsOfPage: StaticString = """
        page.user_id, page.username, page.display_name, page.is_anonymous, page.bio, page.avatar_id, page.joined_at
        """
    /// The columns of users that the subselect above reads. `user_id` comes from the row that refers to the user.
    static let columnsForPage: StaticString =
        "u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at as joined_at"

    static let columnTypes: [ColumnType] = [.uuid, .text, .text, .bool, .text, .uuid, .timestamptz]

    let row: Row
    /// The index of the user's first column: 0, or the number of columns of the object that was read with its author.
    let offset: Int

    init(row: Row, offset: Int = 0) {
        row.expect(Self.columnTypes, from: offset)
        self.row = row
        self.offset = offset
    }

    var id: UUID { row.uuid(offset) }
    var username: Text? { row.text(optional: offset + 1) }
    var displayName: Text { row.text(offset + 2) }
    var isAnonymous: Bool { row.bool(offset + 3) }
    var bio: Text? { row.text(optional: offset + 4) }
    var avatarID: UUID? { row.uuid(optional: offset + 5) }
    var createdAt: Timestamp { row.timestamp(offset + 6) }
}

struct UsersByID: Statement {
    let ids: [UUID]

    var sql: SQL { "select \(unsafe: User.columns) from users u where u.id = any(\(ids))" }

    func decode(_ row: Row) -> User { User(row: row) }
}

struct UserByUsername: Statement {
    let username: String

    var sql: SQL { "select \(unsafe: User.columns) from users u where u.username = \(username.lowercased())" }

    func decode(_ row: Row) -> User { User(row: row) }
}

/// An object that has an author, which the object's statement may have read with it.
protocol Authored {
    var authorID: UUID { get }
    /// nil if the statement did not read the author.
    var author: User? { get }
}

extension Everybody {
    /// The users of `ids`, in the same order; nil for an account that no longer exists. No statement runs if all ids
    /// are nil.
    func users(_ ids: [UUID?]) -> Pending<[User?]> {
        let present = Set(ids.compactMap { $0 })
        if present.isEmpty { return Pending(ids.map { _ in nil }) }
        return start(UsersByID(ids: Array(present))).pending.map { rows in
            let users = Dictionary(rows.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            return ids.map { $0.flatMap { users[$0] } }
        }
    }

    /// The authors of a level's objects: from their rows if these include them, else by one statement.
    func authors<Object: Authored & Sendable>(of objects: [Object]) -> Pending<[User]> {
        let known = objects.compactMap(\.author)
        if known.count == objects.count { return Pending(known) }
        let rows = start(UsersByID(ids: Array(Set(objects.map(\.authorID)))))
        return Pending {
            let users = Dictionary(try await rows.value.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            return try objects.map {
                guard let author = users[$0.authorID] else { throw ExecutionError.notFound }
                return author
            }
        }
    }
}

/// Whether a statement joins the authors of its rows.
enum AuthorColumns: Sendable {
    case omitted, joined

    init(_ selection: FieldSelection, _ paths: [[String]] = [[]]) {
        let isSelected = paths.contains { path in
            var below: FieldSelection? = selection
            for name in path { below = below?[name] }
            return below?.contains("author") ?? false
        }
        self = isSelected ? .joined : .omitted
    }

    /// For a connection: whether the authors of its nodes are selected.
    static func ofNodes(_ selection: FieldSelection) -> AuthorColumns {
        AuthorColumns(selection, [["nodes"], ["edges", "node"]])
    }

    var columns: SQL {
        switch self {
        case .omitted: ""
        case .joined: ", \(unsafe: User.columns)"
        }
    }

    /// Joins the author of `table`, the alias of a table with the column author_id.
    func join(_ table: StaticString) -> SQL {
        switch self {
        case .omitted: ""
        case .joined: " join users u on u.id = \(unsafe: table).author_id"
        }
    }
}
