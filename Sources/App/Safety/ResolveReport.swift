import GraphQL
import Postgres

/// A report is decided once: the same decision again changes nothing, and another is the user error CONFLICT.
struct ResolveReport: Mutation {
    static let name = "resolveReport"

    let id: UUID
    private let removeContent: Bool

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.report)
        removeContent = try input.decode("removeContent")
    }

    var write: SQL { "select resolve_report(\(id), \(removeContent))" }

    var result: SQL? { ReportsByID(ids: [id]).sql }

    static func replay(_ outcome: MutationOutcome) -> SQL? { ReportsByID(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Report? { row.map { Report(row: $0) } }
}
