import GraphQL
import Postgres

/// A report. Its properties decode columns of the row when they are read.
struct Report: ObjectValue, ListItem {
    /// The alias `r` is the reports table. Only moderators see the reporter and the moderator who decided.
    static let columns: StaticString = """
        r.id, r.subject_type, r.subject_id, r.reason, r.note, r.status, r.created_at, r.resolved_at, \
        case when (select viewer_is_moderator()) then r.reporter_id end, \
        case when (select viewer_is_moderator()) then r.resolved_by end
        """
    static let columnTypes: [ColumnType] = [
        .uuid, .text, .uuid, .text, .text, .text, .timestamptz, .timestamptz, .uuid, .uuid,
    ]
    /// The policy `visible` as a condition, for the checks of statements.
    static let isVisible: StaticString = "(r.reporter_id = viewer_id() or viewer_is_moderator())"
    /// The maximum length of a report's note, in grapheme clusters.
    static let noteLength = 1000

    let row: Row

    init(row: Row) {
        row.expect(Self.columnTypes)
        self.row = row
    }

    var id: UUID { row.uuid(0) }
    /// nil for an unknown kind of object.
    var subject: TypeID? { TypeID.Kind(rawValue: row.string(1)).map { TypeID($0, row.uuid(2)) } }
    var reason: Text { row.text(3) }
    var note: Text? { row.text(optional: 4) }
    var status: Text { row.text(5) }
    var createdAt: Timestamp { row.timestamp(6) }
    var resolvedAt: Timestamp? { row.timestamp(optional: 7) }
    var reporterID: UUID? { row.uuid(optional: 8) }
    var resolverID: UUID? { row.uuid(optional: 9) }

    var sortID: UUID { id }
    func sortKey(in order: Cursor.Order) -> Int64 { createdAt.microseconds }
}

enum ReportReason: String, InputDecodable, CaseIterable {
    case spam = "SPAM"
    case harassment = "HARASSMENT"
    case violence = "VIOLENCE"
    case sexualContent = "SEXUAL_CONTENT"
    case other = "OTHER"
}

enum ReportStatus: String, InputDecodable, CaseIterable {
    case open = "OPEN"
    case dismissed = "DISMISSED"
    case contentRemoved = "CONTENT_REMOVED"
}

struct ReportsByID: Statement {
    let ids: [UUID]

    var sql: SQL { "select \(unsafe: Report.columns) from reports r where r.id = any(\(ids))" }

    func decode(_ row: Row) -> Report { Report(row: row) }
}

/// A page of the reports of a status, oldest first. The caller has to check that the viewer is a moderator.
struct ReportsPage: Statement {
    let status: ReportStatus
    let page: Page

    var sql: SQL {
        let list = KeysetList(page, by: .init("r.created_at", "r.id"), isDescending: false)
        return list.page(
            "\(unsafe: Report.columns)",
            from: "select * from reports r where r.status = \(status.rawValue) and \(list.bounds)", as: "r")
    }

    func decode(_ row: Row) -> Report { Report(row: row) }
}

extension RequestContext {
    /// - Throws: FORBIDDEN unless the viewer is a moderator.
    func reports(_ arguments: InputObject) throws -> Pending<ListPage<Report>> {
        _ = try requireViewer()
        let page = try Page(arguments, order: .oldest)
        let isModerator = start(ViewerIsModerator())
        let rows = start(ReportsPage(status: try arguments.decode("status"), page: page))
        return Pending {
            guard try await isModerator.value.first == true else { throw ExecutionError.forbidden(reason: "ROLE") }
            return page.list(try await rows.value)
        }
    }
}

extension Report: NodeObject {
    static let typeName = "Report"
    static let kind = TypeID.Kind.report

    static func byID(_ ids: [UUID]) -> ReportsByID { ReportsByID(ids: ids) }

    static func access(to id: UUID) -> SQL {
        """
        select r.id, r.reporter_id, false, false, false from reports r where r.id = \(id) \
        and \(unsafe: isVisible)
        """
    }
}
