/// An event that many subscribers get at once.
public protocol SharedEvent<Context>: SharedObject {
    associatedtype Context: ExecutionContext

    /// The subscribers that see the same in the event; nil if the event is executed for this subscriber alone, in its own
    /// name. An event of which a personal field is selected is always executed for its subscriber alone.
    var audience: EventAudience<Context>? { get }

    /// Where a client that has got this event goes on; nil where none can.
    var position: String? { get }

    /// Called once the client has proven that it has this event; nil where nobody waits for that, as for an event with an
    /// audience. A transport that cannot tell never calls it.
    var onReceipt: (@Sendable () -> Void)? { get }
}

extension SharedEvent {
    public var onReceipt: (@Sendable () -> Void)? { nil }
}

/// The subscribers of one event who see the same in it. What two of them select alike is executed and encoded once.
public final class EventAudience<Context: ExecutionContext>: Sendable {
    /// In whose name: it must see no more than each of them may.
    public let context: Context
    private let responses: any SharedResponses

    /// - Parameter responses: empty.
    public init(context: Context, responses: any SharedResponses) {
        self.context = context
        self.responses = responses
    }

    func response(
        _ key: SelectionKey, _ execute: @escaping @Sendable (Context) async throws -> Response
    ) async throws -> Response {
        try await responses.response(to: key) { [context] in try await execute(context) }
    }
}

/// Responses that many wait for, one a selection. It is the server's to say how threads share them.
public protocol SharedResponses: Sendable {
    /// - Parameter execute: called for the first who asks alone. It must not end with that one's task: the others wait
    ///   for it too.
    func response(
        to selection: SelectionKey, _ execute: @escaping @Sendable () async throws -> Response
    ) async throws -> Response
}

/// What a subscription selects below its root field. The root's own arguments choose the events alone: subscribers who
/// resume at different places are the same here.
public struct SelectionKey: Hashable, Sendable {
    private let plan: OperationPlan
    private let variables: [InputValue?]

    init(_ plan: OperationPlan, variables: [String: InputValue]) {
        self.plan = plan
        var names: Set<String> = []
        for selection in plan.selections.dropFirst() {
            for field in selection.fields {
                guard case .variable(_, let arguments) = field.arguments else { continue }
                for argument in arguments { argument.value.collectVariables(into: &names) }
            }
        }
        self.variables = names.sorted().map { variables[$0] }
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.plan === right.plan && left.variables == right.variables
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(plan)) }
}

extension Value {
    fileprivate func collectVariables(into names: inout Set<String>) {
        switch kind {
        case .variable(let name): names.insert(name)
        case .list(let items): for item in items { item.collectVariables(into: &names) }
        case .object(let fields): for field in fields { field.value.collectVariables(into: &names) }
        case .int, .float, .string, .boolean, .null, .enumeration: break
        }
    }
}
