import GraphQL
import Postgres

/// The deleted images of an open report: those that its subject showed when they were deleted, and that were uploaded
/// before the report. They are kept until the report is resolved. Only moderators get rows.
struct ReportImages: Statement {
    let reports: [UUID]

    var sql: SQL {
        """
        select \(unsafe: Image.columns), i.report_id from report_images i \
        where i.report_id = any(\(reports)) and viewer_is_moderator() order by i.id
        """
    }

    func decode(_ row: Row) -> (report: UUID, image: Image) { (row.uuid(5), Image(row: row, isPublic: false)) }
}

extension RequestContext {
    func keptImages(_ reports: [UUID]) -> Pending<[[Image]]> {
        start(ReportImages(reports: reports)).pending.map { rows in
            let images = Dictionary(grouping: rows, by: \.report).mapValues { $0.map(\.image) }
            return reports.map { images[$0] ?? [] }
        }
    }
}
