import GraphQL
import Postgres

struct AddComment: Mutation {
    static let name = "addComment"
    static let isAuthorship = true
    static let sharesCommit = true

    let id: UUID
    private let subject: TypeID
    private let text: String
    private let onConflict: OnConflict
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.newID(.comment, given: input.decode("id"))
        subject = try input.decode("subjectId")
        guard subject.kind == .thought || subject.kind == .event else { throw ExecutionError.notFound }
        onConflict = try input.decode("onConflict")
        var texts = InputText()
        text = texts.required(try input.decode("text"), "text", "The comment", Comment.textLength)
        userErrors = texts.errors
    }

    /// Returns the comment with its author, since most clients show both. The select repeats the values of the insert
    /// for the columns of `Comment.columns`: `returning` would check the policies for reading, which look the subject
    /// up twice more.
    var write: SQL {
        let subjectColumns: SQL =
            subject.kind == .thought ? "\(subject.uuid), null::uuid" : "null::uuid, \(subject.uuid)"
        return """
            with c as (\(insert)) select \(id), u.id, \(subjectColumns), \(text), \
            date_trunc('milliseconds', now()), null::timestamptz, \(unsafe: User.columns) \
            from users u where u.id = viewer_id()
            """
    }

    private var insert: SQL {
        switch subject.kind {
        case .thought:
            """
            insert into comments (id, author_id, thought_id, text) select \(id), viewer_id(), \(subject.uuid), \(text) \
            where case when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') \
            when not exists (select from thoughts t where t.id = \(subject.uuid) and \(Thought.isVisible)) \
            then refuse('NOT_FOUND') else true end
            """
        default:
            """
            insert into comments (id, author_id, event_id, text) select \(id), viewer_id(), \(subject.uuid), \(text) \
            where case when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') \
            when not exists (select from events e where e.id = \(subject.uuid) and \(Event.isVisible)) \
            then refuse('NOT_FOUND') else true end
            """
        }
    }

    static let identity: String? = "comments_pkey"

    var existing: SQL? {
        """
        select \(unsafe: Comment.columns), \(unsafe: User.columns) from (select) as one \
        left join (comments c join users u on u.id = c.author_id) on c.id = \(id) and c.author_id = viewer_id() \
        where c.id is not null or refuse('USER_ERRORS', 'TAKEN id')
        """
    }

    /// An overwrite with another subject is refused: a comment keeps its subject.
    var overwrite: SQL? {
        guard onConflict == .overwrite else { return nil }
        let isOfSubject: SQL =
            subject.kind == .thought ? "c.thought_id = \(subject.uuid)" : "c.event_id = \(subject.uuid)"
        return """
            update comments c set text = \(text), edited_at = date_trunc('milliseconds', now()) \
            where c.id = \(id) and c.author_id = viewer_id() and \(Comment.isVisible) \
            and case when \(isOfSubject) then true else refuse('USER_ERRORS', 'CONFLICT subjectId') end
            """
    }

    static func replay(_ outcome: MutationOutcome) -> SQL? {
        """
        select \(unsafe: Comment.columns), \(unsafe: User.columns) from comments c join users u on u.id = c.author_id \
        where c.id = \(outcome.id)
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Comment? {
        row.map { Comment(row: $0, hasAuthor: true) }
    }
}
