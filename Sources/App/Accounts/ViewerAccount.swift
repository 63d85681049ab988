import GraphQL
import Postgres

/// The private part of an account, visible to the account alone.
struct ViewerAccount: ObjectValue {
    /// The aliases `u` and `k` are the users and the credentials.
    static let columns: StaticString = """
        u.id, u.username, u.display_name, u.is_anonymous, u.bio, u.avatar_id, u.created_at, u.role, k.email, \
        k.email_verified_at is not null, k.pending_email
        """
    static let columnTypes: [ColumnType] = User.columnTypes + [.text, .text, .bool, .text]

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    /// The account's id. The node's id has the prefix `viewer`, so it differs from the user's.
    var id: UUID { row.uuid(0) }
    var user: User { User(row: row) }
    var isAnonymous: Bool { row.bool(3) }
    var role: Text { row.text(7) }
    var email: Text? { row.text(optional: 8) }
    var emailVerified: Bool { row.bool(9) }
    var pendingEmail: Text? { row.text(optional: 10) }

    static let binding: Binding = ObjectBinding<ViewerAccount, RequestContext>("Viewer") { viewer in
        viewer.field("id") { TypeID(.viewer, $0.id) }
        viewer.field("user", \.user)
        viewer.field("email", \.email)
        viewer.field("pendingEmail", \.pendingEmail)
        viewer.field("emailVerified", \.emailVerified)
        viewer.field("isAnonymous", \.isAnonymous)
        viewer.field("role", \.role)
        viewer.load("thoughts") { viewers, context -> Pending<[ListPage<Thought>]> in
            let page = try Page(context.arguments, order: .created)
            let status: ThoughtStatus? = try context.arguments.decode("status")
            // All parents are the same account: several parents come only from aliases of `viewer`.
            guard let author = viewers.first?.id else { return Pending([]) }
            let own = OwnThoughts(author: author, status: status, page: page)
            return context.context.start(own).pending.map { rows in viewers.map { _ in page.list(rows) } }
        }
        viewer.load("savedThoughts", plan: { AuthorColumns.ofNodes($0) }) { viewers, author, context in
            try context.context.savedThoughts(of: viewers, author, context.arguments)
        }
        viewer.load("likedThoughts", plan: { AuthorColumns.ofNodes($0) }) { viewers, author, context in
            try context.context.likedThoughts(of: viewers, author, context.arguments)
        }
        viewer.load("rsvpEvents", plan: { AuthorColumns.ofNodes($0) }) { viewers, author, context in
            try context.context.rsvpEvents(of: viewers, author, context.arguments)
        }
        ChatBindings.viewer(&viewer)
        NotificationBindings.viewer(&viewer)
        PushDeviceBindings.viewer(&viewer)
        ImageBindings.viewer(&viewer)
        viewer.load("blockedUsers") { viewers, context in
            let page = try Page(context.arguments, order: .created)
            return context.context.start(BlockedUsers(page: page)).pending.map { rows in
                viewers.map { _ in page.list(rows) }
            }
        }
        viewer.load("sessions") { viewers, context in
            context.context.start(OwnSessions(ids: nil)).pending.map { rows in viewers.map { _ in rows } }
        }
    }
}

/// The viewer's account, if `ids` contains it.
struct ViewerAccounts: Statement {
    let ids: [UUID]

    var sql: SQL {
        """
        select \(unsafe: ViewerAccount.columns) from users u left join credentials k on k.user_id = u.id \
        where u.id = any(\(ids)) and u.id = viewer_id()
        """
    }

    func decode(_ row: Row) -> ViewerAccount { ViewerAccount(row: row) }
}

struct CurrentViewer: Statement {
    var sql: SQL {
        """
        select \(unsafe: ViewerAccount.columns) from users u left join credentials k on k.user_id = u.id \
        where u.id = viewer_id()
        """
    }

    func decode(_ row: Row) -> ViewerAccount { ViewerAccount(row: row) }
}

extension ViewerAccount: NodeObject {
    static let typeName = "Viewer"
    static let kind = TypeID.Kind.viewer

    static func byID(_ ids: [UUID]) -> ViewerAccounts { ViewerAccounts(ids: ids) }
}
