import ChangeFeed
import GraphQL
import Postgres

/// A scope that clients ask for: the subscription field of its feature, and the member of `ChangeScopeInput`.
protocol LiveScope: ChangeScope<RequestContext, Node> {
    /// What the field of the subscription root gives.
    static var events: Binding { get }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>)

    /// - Returns: nil where the input asks for something else.
    static func requested(by input: InputObject) throws -> ScopeInput.Scope?
}

extension ObjectFields where Parent == Root, Context == RequestContext {
    /// A field of the subscription root that gives the changes of one scope.
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
                stream, tell: { try await ChangeEvent<Object>($0, for: subscriber, context).told(in: context) },
                share: { try await ChangeEvent<Object>($0, for: subscriber, context).shared() })
        }
    }
}

extension FieldContext<RequestContext> {
    /// Where the subscription begins: its own argument, else what the connection resumes from.
    func after() throws -> ChangeCursor? {
        try ChangeCursor.decode(arguments.decode("after") ?? context.resumeAfter)
    }
}
