/// An event that many subscribers receive at once.
public protocol SharedEvent<Context>: SharedObject {
    associatedtype Context: ExecutionContext

    /// The subscribers that one execution of the event serves; nil if the event is executed for this subscriber
    /// alone, with the subscriber's own context. If a personal field is selected, the event is executed for its
    /// subscriber alone, whatever the audience.
    var audience: EventAudience<Context>? { get }

    /// The cursor from which a client that has received this event resumes; nil if the client cannot resume.
    var position: String? { get }

    /// Called once the client has proven that it received this event; nil if the source does not ask for the proof. A
    /// transport that has no such proof never calls it.
    var onReceipt: (@Sendable () -> Void)? { get }
}

extension SharedEvent {
    public var onReceipt: (@Sendable () -> Void)? { nil }
}

/// The subscribers of one event that see the same values in it. Subscribers with the same selection get one response,
/// which is executed and encoded once.
public final class EventAudience<Context: ExecutionContext>: Sendable {
    /// The context of the execution. It must not give access to anything that one of the subscribers may not see.
    public let context: Context
    private let executions: any ExecutionSharing

    /// - Parameters:
    ///   - context: the context of the execution, which must not give access to anything that one of the subscribers
    ///     may not see.
    ///   - executions: the executions for this event, none at first.
    public init(context: Context, executions: any ExecutionSharing) {
        self.context = context
        self.executions = executions
    }

    func response(
        _ key: SelectionKey, _ execute: @escaping @Sendable (Context) async throws -> Response
    ) async throws -> Response {
        try await executions.response(to: key) { [context] in try await execute(context) }
    }
}

/// The executions for one event, one for each selection. The server implements how threads share them.
public protocol ExecutionSharing: Sendable {
    /// The response for a selection, which is executed for the first subscriber that asks.
    ///
    /// - Parameters:
    ///   - selection: the selection below the subscription's root field.
    ///   - execute: executes the selection. The execution must not be cancelled with the first subscriber's task,
    ///     because other subscribers await it.
    func response(
        to selection: SelectionKey, _ execute: @escaping @Sendable () async throws -> Response
    ) async throws -> Response
}

/// The selection of a subscription below its root field. The arguments of the root field are not a part of the key:
/// they choose the events and the position to resume from, not the values that are read from an event.
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
