import ChangeFeed
import GraphQL

enum ChangeBindings {
    /// The scopes that clients can subscribe to and name in `changes`.
    static let scopes: [any LiveScope.Type] = [
        FeedChanges.self, EventChanges.self, NodeChanges.self, CommentChanges.self, MessageChanges.self,
        ConversationChanges.self, NotificationChanges.self,
    ]

    static let types: [Binding] =
        [subscription] + scopes.map { $0.events } + [ViewerChange.binding, SessionChange.binding] + ChangeList.bindings

    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.snapshot("changeCursor") { $0.context.cursorBesideLists() }
        ChangeList.query(&query)
    }

    private static let subscription: Binding = ObjectBinding<Root, RequestContext>("Subscription") {
        for scope in scopes { scope.subscription(&$0) }
        ViewerChange.subscription(&$0)
        SessionChange.subscription(&$0)
    }
}
