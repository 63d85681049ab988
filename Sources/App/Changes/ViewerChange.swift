import GraphQL

/// The viewer's own account has changed.
struct ViewerChange: ObjectValue {
    let cursor: ChangeCursor

    static let binding: Binding = ObjectBinding<ViewerChange, RequestContext>("ViewerChange") { change in
        change.load("viewer") { changes, context in
            context.context.start(CurrentViewer()).pending.map { rows in changes.map { _ in rows.first } }
        }
        change.field("cursor", \.cursor)
    }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.stream("viewerChanges") { context in
            let viewer = try context.context.requireViewer()
            let stream = try await ChangeStream(.account(viewer.userID), after: context.after(), context.context)
            return stream.map { ViewerChange(cursor: $0.shared.cursor) }
        }
    }
}
