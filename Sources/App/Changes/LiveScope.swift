import ChangeFeed
import GraphQL
import Postgres

/// A scope that clients can subscribe to by a field of `Subscription`, and can name in `ChangeScopeInput`.
protocol LiveScope: ChangeScope<RequestContext, Node> {
    /// The binding of the type that the subscription field gives.
    static var events: Binding { get }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>)

    /// The scope that the input asks for.
    /// - Returns: nil if the input asks for a scope of another type.
    static func requested(by input: InputObject) throws -> ScopeInput.Scope?
}

extension ObjectFields where Parent == Root, Context == RequestContext {
    /// Adds a field to `Subscription` that gives the changes of one scope.
    mutating func changes<Object: ChangedNode, Scope: ChangeScope<RequestContext, Node>>(
        _ name: String, of type: Object.Type,
        _ scope: @escaping @Sendable (FieldContext<RequestContext>) async throws -> Scope
    ) {
        stream(name, plan: { !$0.isShared }) { isPersonal, context in
            let slot = context.context.takeSlot()
            let stream = try await ChangeStream(
                try await scope(context), after: context.after(), context.context, slot: slot, isPersonal: isPersonal)
            let (context, subscriber) = (context.context, stream.subscriber)
            return ChangeEvents(
                stream,
                event: { try await ChangeEvent<Object>($0, for: subscriber, context).forSubscriber(in: context) },
                share: { try await ChangeEvent<Object>($0, for: subscriber, context).shared() })
        }
    }
}

extension FieldContext<RequestContext> {
    /// The cursor at which the subscription begins: that of the last event that the client got, otherwise the argument
    /// `after`, otherwise the one that the connection resumes from.
    /// - Throws: BAD_USER_INPUT for a malformed cursor.
    func after() throws -> ChangeCursor? {
        try ChangeCursor.decode(context.lastEventID ?? arguments.decode("after") ?? context.resumeAfter)
    }
}
