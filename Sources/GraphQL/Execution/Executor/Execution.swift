/// One operation of one request while it is executed: level by level, each level's fields started together.
/// Spec: 6.3 Executing Selection Sets
final class Execution {
    enum FieldInput {
        case unknown
        case ready(AnyFieldContext)
        case failed(ExecutionError)
    }

    /// A field that waits for its round.
    struct Unresolved {
        let objects: ObjectSet
        let position: Int

        var field: PlannedField { objects.selection.fields[position] }
    }

    let plan: OperationPlan
    /// Handed to resolvers that take no context.
    let noContext: AnyFieldContext = NoFieldContext()
    let variables: [String: InputValue]
    private let makeFieldContext: @Sendable (InputObject, FieldResolver.Takes) -> AnyFieldContext
    let mask: @Sendable (any Error) -> ExecutionError
    /// By the fields' index.
    private var inputs: [FieldInput]
    private var unexpanded: [ObjectSet] = []
    private var unresolved: [Unresolved] = []

    init<Context: ExecutionContext>(_ plan: OperationPlan, variables: [String: InputValue], context: Context) {
        self.plan = plan
        self.variables = variables
        makeFieldContext = { arguments, takes -> AnyFieldContext in
            switch takes {
            case .everybody: return FieldContext(context: context.everybody, arguments: arguments)
            case .nothing, .viewer: return FieldContext(context: context, arguments: arguments)
            }
        }
        mask = { error in error as? ExecutionError ?? context.executionError(for: error) }
        inputs = Array(repeating: .unknown, count: plan.fields.count)
    }

    /// For an execution group of the same request.
    init(for execution: Execution) {
        plan = execution.plan
        variables = execution.variables
        makeFieldContext = execution.makeFieldContext
        mask = execution.mask
        inputs = Array(repeating: .unknown, count: plan.fields.count)
    }

    /// Spec: 6.2.1 Query, 6.2.2 Mutation
    func executeRoot() async throws(CancellationError) -> ObjectSet {
        let root = ObjectSet(plan.selections[0], Column([Root()]), count: 1)
        if root.selection.deferral != nil { addDeferred(to: root) }
        if plan.operation == .mutation {
            for position in root.selection.completed {
                resolve(position, of: root)
                try await executeRounds()
            }
        } else {
            unexpanded.append(root)
            try await executeRounds()
        }
        return root
    }

    /// For a plan that never waits.
    func executeRootWithoutWaiting() -> ObjectSet {
        let root = ObjectSet(plan.selections[0], Column([Root()]), count: 1)
        unexpanded.append(root)
        expand()
        return root
    }

    /// An event as the value of a subscription's root field.
    /// Spec: 6.2.3.2 Response Stream, ExecuteSubscriptionEvent
    func executeEvent(_ event: CompletedColumn) async throws(CancellationError) -> ObjectSet {
        let root = ObjectSet(plan.selections[0], Column([Root()]), count: 1)
        for position in root.selection.completed {
            root.results[position] = complete(event, root.selection.fields[position])
        }
        try await executeRounds()
        return root
    }

    func executeRounds() async throws(CancellationError) {
        while true {
            expand()
            if Task.isCancelled { throw CancellationError() }
            if unresolved.isEmpty { return }
            let round = unresolved
            unresolved = []
            for (field, outcome) in zip(round, await resolveTogether(round)) {
                field.objects.results[field.position] = complete(outcome, field.field)
            }
        }
    }

    /// Resolves whatever needs no suspension, however deep.
    private func expand() {
        var next = 0
        while next < unexpanded.count {
            let objects = unexpanded[next]
            for position in objects.selection.completed { resolve(position, of: objects) }
            next += 1
        }
        unexpanded.removeAll()
    }

    /// Begins with fields that were deferred, or items that were left to a stream.
    /// - Returns: whether there is something to suspend for.
    func begin(_ group: ExecutionGroup) -> Bool {
        for deferred in group.objects where deferred.objects.count > 0 { unexpanded.append(deferred.objects) }
        for tail in group.tails { tail.items = complete(tail.rest, tail.stream.children) }
        expand()
        return !unresolved.isEmpty
    }

    private func resolve(_ position: Int, of objects: ObjectSet) {
        let field = objects.selection.fields[position]
        switch field.resolution {
        case .expand(let expand):
            switch input(of: field) {
            case .success(let context):
                let completed = expand(objects.column, 0..<objects.count, context)
                objects.results[position] = complete(completed, field)
            case .failure(let error):
                objects.results[position] = .failed(error)
            }
        case .load, .batch:
            unresolved.append(Unresolved(objects: objects, position: position))
        case .constant, .stream:
            return
        }
    }

    // MARK: - What fields are called with

    /// The field's context, its arguments coerced.
    func input(of field: PlannedField) -> Result<AnyFieldContext, ExecutionError> {
        guard field.takes != .nothing else { return .success(noContext) }
        if case .unknown = inputs[field.index] { inputs[field.index] = makeInput(of: field) }
        switch inputs[field.index] {
        case .ready(let context): return .success(context)
        case .failed(let error): return .failure(error)
        case .unknown: return .success(noContext)
        }
    }

    /// Spec: 6.4.1 Coercing Field Arguments
    private func makeInput(of field: PlannedField) -> FieldInput {
        switch field.arguments {
        case .none: return .ready(makeFieldContext(InputObject(), field.takes))
        case .constant(let arguments): return .ready(makeFieldContext(arguments, field.takes))
        case .invalid(let message): return .failed(ExecutionError(message, code: .badUserInput))
        case .variable(let definitions, let arguments):
            do {
                let coerced = try coerceArgumentValues(plan.schema, definitions, arguments, variables)
                return .ready(makeFieldContext(coerced, field.takes))
            } catch {
                return .failed(ExecutionError(error.message, code: .badUserInput))
            }
        }
    }

    // MARK: - What fields gave

    func complete(_ outcome: Result<CompletedColumn, any Error>, _ field: PlannedField) -> CompletedSlots {
        switch outcome {
        case .success(let completed): complete(completed, field)
        case .failure(let error): .failed(mask(error))
        }
    }

    func complete(_ completed: CompletedColumn, _ field: PlannedField) -> CompletedSlots {
        guard let stream = field.stream else { return complete(completed, field.children) }
        return complete(completed, field, stream)
    }

    /// Spec: 6.4.3 Value Completion
    func complete(_ completed: CompletedColumn, _ children: PlannedField.Children) -> CompletedSlots {
        switch completed {
        case .optional(let rows, let next): .optional(rows: rows, complete(next, children))
        case .list(let offsets, let next): .list(offsets: offsets, complete(next, children))
        case .failing(let rows, let errors, let next):
            .failing(rows: rows, errors: errors.map(mask), complete(next, children))
        case .values(let column, let count): complete(column, count, children)
        }
    }

    private func complete(_ column: AnyColumn, _ count: Int, _ children: PlannedField.Children) -> CompletedSlots {
        switch children {
        case .leaf: return .leafs(column)
        case .object(let selection): return .objects(objectSet(selection, column, count))
        case .abstract(let members):
            var split = AbstractSplit(count: count)
            let sets = members.enumerated().map { index, member in
                let (extracted, count) = member.member.extract(column, &split, Int32(truncatingIfNeeded: index))
                return objectSet(member.selection, extracted, count)
            }
            return .abstract(split, sets)
        }
    }

    private func objectSet(_ selection: Int, _ column: AnyColumn, _ count: Int) -> ObjectSet {
        let objects = ObjectSet(plan.selections[selection], column, count: count)
        if count > 0, !objects.selection.completed.isEmpty { unexpanded.append(objects) }
        if objects.selection.deferral != nil { addDeferred(to: objects) }
        return objects
    }

    private func addDeferred(to objects: ObjectSet) {
        objects.deferred = (objects.selection.deferral?.groups ?? []).map { group in
            let selection = plan.selections[group.selection]
            return DeferredObjects(
                ObjectSet(selection, objects.column, count: objects.count), usages: group.usages)
        }
    }

    func executionError(for error: any Error) -> ExecutionError { mask(error) }
}

private final class NoFieldContext: Sendable {}

/// An abstract value is none of its members: a bug, masked like any other.
public struct UnresolvedAbstractValue: Error, Equatable {
    public let field: String
}
