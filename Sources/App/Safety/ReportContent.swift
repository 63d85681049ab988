import GraphQL
import Postgres

/// Reports an object that the viewer sees. While the report is open, a second report of the same object by the same
/// account returns the first.
struct ReportContent: Mutation {
    static let name = "reportContent"

    let id: UUID
    private let reporter: UUID
    private let subject: TypeID
    private let reason: ReportReason
    private let note: String?
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = context.environment.newID()
        reporter = try context.requireViewer().userID
        subject = try input.decode("subjectId")
        reason = try input.decode("reason")
        var texts = InputText()
        note = texts.optional(try input.decode("note"), "note", "The note", maximum: Report.noteLength)
        userErrors = texts.errors
    }

    private var open: SQL {
        "r.reporter_id = viewer_id() and r.subject_id = \(subject.uuid) and r.status = 'OPEN'"
    }

    /// Reports of one object by one account wait for each other, so that `outcome` sees the report that is open.
    var lock: SQL? { .advisoryLock("report \(reporter) \(subject)") }

    /// The id of the open report, if there is one, otherwise the new id.
    var outcome: SQL {
        "jsonb_build_object('id', coalesce((select r.id from reports r where \(open)), \(id)))"
    }

    /// Reads the subject's owner, if the viewer sees the subject.
    private var owner: SQL? {
        switch subject.kind {
        case .thought:
            "select t.author_id from thoughts t where t.id = \(subject.uuid) and \(Thought.isVisible)"
        case .comment:
            "select c.author_id from comments c where c.id = \(subject.uuid) and \(Comment.isVisible)"
        case .event:
            "select e.author_id from events e where e.id = \(subject.uuid) and \(Event.isVisible)"
        case .user:
            "select u.id from users u where u.id = \(subject.uuid) and u.id <> all(hidden_ids())"
        default: nil
        }
    }

    var write: SQL {
        guard let owner else { return "select refuse('NOT_FOUND')" }
        return """
            insert into reports (id, reporter_id, subject_type, subject_id, reason, note) \
            select \(id), viewer_id(), \(subject.kind.rawValue), \(subject.uuid), \(reason.rawValue), \(note) \
            where coalesce((select owner <> viewer_id() or refuse('USER_ERRORS', 'NOT_ALLOWED subjectId') \
            from (\(owner)) as subjects (owner)), refuse('NOT_FOUND')) \
            on conflict (reporter_id, subject_id) where status = 'OPEN' do nothing
            """
    }

    var result: SQL? { "select \(unsafe: Report.columns) from reports r where \(open)" }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ReportsByID(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Report? { row.map { Report(row: $0) } }
}
