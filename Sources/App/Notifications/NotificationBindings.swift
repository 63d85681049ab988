import GraphQL
import Postgres

enum NotificationBindings {
    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.mutation(MarkNotificationsRead.self)
        mutation.mutation(MarkAllNotificationsRead.self)
    }

    /// All parents are the viewer's account, because no other account can be read as a `Viewer`.
    static func viewer(_ viewer: inout ObjectFields<ViewerAccount, RequestContext>) {
        viewer.load("notifications") { viewers, context in
            let page = try Page(context.arguments, order: .newest)
            let statement = ViewerNotifications(unreadOnly: try context.arguments.decode("unreadOnly"), page: page)
            return context.context.start(statement).pending.map { rows in viewers.map { _ in page.list(rows) } }
        }
        viewer.load("unreadNotificationCount") { viewers, context in
            context.context.start(UnreadNotificationCount()).pending
                .map { rows in viewers.map { _ in rows.first ?? 0 } }
        }
    }

    static let types: [Binding] = [notification, payload] + ConnectionBindings.of(Notification.self, "Notification")

    private static let notification: Binding = ObjectBinding<Notification, RequestContext>("Notification") {
        $0.field("id") { TypeID(.notification, $0.id) }
        $0.field("kind", \.kind)
        $0.load("actor") { notifications, context in context.everybody.users(notifications.map(\.actorID)) }
        $0.field("actorCount", \.actorCount)
        $0.field("text", \.text)
        $0.load("subject") { notifications, context in context.context.nodes(notifications.map(\.subject)) }
        $0.field("createdAt", \.createdAt)
        $0.field("readAt", \.readAt)
        $0.field("reason", \.reason)
    }

    private static let payload: Binding = ObjectBinding<Payload<Bool>, RequestContext>(
        "MarkNotificationsReadPayload"
    ) {
        $0.viewerField()
        $0.payloadFields()
    }
}
