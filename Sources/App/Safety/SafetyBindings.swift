import GraphQL
import Postgres

enum SafetyBindings {
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("reports") { _, context in try context.context.reports(context.arguments).map { [$0] } }
        query.load("explainAccess") { _, context in
            let id: TypeID = try context.arguments.decode("id")
            return context.context.explanation(of: try context.arguments.decode("action"), on: id).map { [$0] }
        }
    }

    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.mutation(BlockUser.self)
        mutation.mutation(UnblockUser.self)
        mutation.mutation(ReportContent.self)
        mutation.mutation(ResolveReport.self)
        mutation.mutation(SuspendUser.self)
        mutation.mutation(UnsuspendUser.self)
    }

    static func user(_ user: inout ObjectFields<User, RequestContext>) {
        user.load("suspension") { users, context -> Pending<[Suspension?]> in
            guard context.viewer != nil else { return Pending(users.map { _ in nil }) }
            return context.context.start(SuspensionsOfUsers(ids: users.map(\.id))).pending.map { rows in
                users.map { user in rows.first { $0.userID == user.id } }
            }
        }
    }

    static let types: [Binding] =
        [report, userPayload, reportPayload, AccessExplanation.binding, Suspension.binding]
        + ConnectionBindings.of(Report.self, "Report")
        + BlockedUser.bindings

    private static let report: Binding = ObjectBinding<Report, RequestContext>("Report") { report in
        report.field("id") { TypeID(.report, $0.id) }
        report.load("subject") { reports, context in context.context.nodes(reports.map(\.subject)) }
        report.load("reporter") { reports, context in context.everybody.users(reports.map(\.reporterID)) }
        report.load("resolvedBy") { reports, context in context.everybody.users(reports.map(\.resolverID)) }
        report.load("keptImages") { reports, context in context.context.keptImages(reports.map(\.id)) }
        report.field("reason", \.reason)
        report.field("note", \.note)
        report.field("status", \.status)
        report.field("createdAt", \.createdAt)
        report.field("resolvedAt", \.resolvedAt)
    }

    private static let userPayload: Binding = ObjectBinding<Payload<User>, RequestContext>("UserPayload") {
        $0.field("user", \.object)
        $0.payloadFields()
    }

    private static let reportPayload: Binding = ObjectBinding<Payload<Report>, RequestContext>("ReportPayload") {
        $0.field("report", \.object)
        $0.payloadFields()
    }
}
