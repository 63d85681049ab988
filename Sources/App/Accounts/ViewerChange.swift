import ChangeFeed
import GraphQL

/// A change of the viewer's own account or of one of its badges.
struct ViewerChange: SharedEvent {
    let cursor: ChangeCursor

    var position: String? { cursor.text }
    var audience: EventAudience<RequestContext>? { nil }

    static let binding: Binding = ObjectBinding<ViewerChange, RequestContext>("ViewerChange") { change in
        change.load("viewer") { changes, context in
            context.context.start(CurrentViewer()).pending.map { rows in changes.map { _ in rows.first } }
        }
        change.field("cursor", \.cursor)
    }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.stream("viewerChanges", plan: { _ in () }) { _, context in
            let viewer = try context.context.requireViewer()
            let slot = context.context.takeSlot()
            let stream = try await ChangeStream(
                BadgeChanges(account: viewer.userID), after: context.after(), context.context, slot: slot)
            return ChangeEvents(
                stream, event: { ViewerChange(cursor: $0.cursor) }, share: { ViewerChange(cursor: $0.cursor) })
        }
    }
}
