/// The breadth-first execution of one operation for one request. A resolver is called once for all objects of its type
/// at one place of the plan; leaves that need no resolver are left to the response's writer. Fields whose resolvers
/// suspend are collected into rounds. The fields of a round are resolved together.
/// Spec: 6.3 Executing Selection Sets
final class Execution {
    typealias FieldResult = Result<CompletedColumn, any Error>

    enum FieldInput {
        /// The field's arguments are not coerced yet.
        case unknown
        case ready(AnyFieldContext)
        case failed(ExecutionError)
    }

    /// A field whose resolver suspends, for all objects of a set.
    struct UnresolvedField {
        let objects: ObjectSet
        let position: Int

        var field: PlannedField { objects.selection.fields[position] }
    }

    /// A field of the current round.
    fileprivate enum StartedField {
        case load(Pending<CompletedColumn>)
        case batch(Pending<CompletedColumn>)
        case failed(any Error)
    }

    let plan: OperationPlan
    /// The placeholder for resolvers that take no context.
    let noContext: AnyFieldContext = NoFieldContext()
    let variables: [String: InputValue]
    private let makeFieldContext: @Sendable (InputObject, FieldResolver.Input) -> AnyFieldContext
    let mask: @Sendable (any Error) -> ExecutionError
    let observation: Observation?
    /// The inputs of the plan's fields, by `PlannedField.index`.
    private var inputs: [FieldInput]
    /// The values of the plan's snapshot fields, by `PlannedField.index`.
    private var snapshots: [Int: CompletedSlots] = [:]
    /// The object sets whose fields have not been executed.
    private var unexpanded: [ObjectSet] = []
    /// The fields of the next round.
    private var unresolved: [UnresolvedField] = []

    init<Context: ExecutionContext>(
        _ plan: OperationPlan, variables: [String: InputValue], context: Context,
        observer: (any ExecutionObserver)? = nil
    ) {
        self.plan = plan
        self.variables = variables
        makeFieldContext = { arguments, takes -> AnyFieldContext in
            switch takes {
            case .everybody: return FieldContext(context: context.everybody, arguments: arguments)
            case .nothing, .viewer: return FieldContext(context: context, arguments: arguments)
            }
        }
        mask = { error in error as? ExecutionError ?? context.executionError(for: error) }
        observation = observer.map { Observation($0, of: plan) }
        inputs = Array(repeating: .unknown, count: plan.fields.count)
    }

    /// Creates a separate execution for an execution group of the same request.
    init(for execution: Execution) {
        plan = execution.plan
        variables = execution.variables
        makeFieldContext = execution.makeFieldContext
        mask = execution.mask
        observation = execution.observation
        snapshots = execution.snapshots
        inputs = Array(repeating: .unknown, count: plan.fields.count)
    }

    /// The root fields of a mutation are executed serially: a field with all its subfields, then the next field.
    /// Spec: 6.3.1 ExecuteRootSelectionSet
    func executeRootSelectionSet() async throws(CancellationError) -> ObjectSet {
        let root = ObjectSet(plan.selections[0], Column([Root()]), count: 1)
        takeSnapshots(of: root)
        if root.selection.deferral != nil { addDeferred(to: root) }
        if plan.operation == .mutation {
            for position in root.selection.completed {
                executeField(root, position)
                try await executeRounds()
            }
        } else {
            unexpanded.append(root)
            try await executeRounds()
        }
        return root
    }

    /// Executes the root selection set of a plan with `waits == false`.
    func executeRootSelectionSetWithoutWaiting() -> ObjectSet {
        let root = ObjectSet(plan.selections[0], Column([Root()]), count: 1)
        takeSnapshots(of: root)
        unexpanded.append(root)
        expand()
        return root
    }

    private func takeSnapshots(of root: ObjectSet) {
        for (field, expand) in plan.snapshots {
            snapshots[field.index] =
                switch input(of: field) {
                case .success(let context): completeValue(field, expand(root.column, 0..<root.count, context))
                case .failure(let error): .failed(error)
                }
        }
    }

    /// Executes a subscription's selection set with the event as the value of its root field.
    /// Spec: 6.2.3.2 Response Stream, ExecuteSubscriptionEvent
    func executeEvent(_ event: CompletedColumn) async throws(CancellationError) -> ObjectSet {
        let root = ObjectSet(plan.selections[0], Column([Root()]), count: 1)
        for position in root.selection.completed {
            root.results[position] = completeValue(root.selection.fields[position], event)
        }
        try await executeRounds()
        return root
    }

    /// Executes those fields of a group that do not suspend.
    /// - Returns: true where fields that suspend are left; `executeRounds` executes them.
    func begin(_ group: ExecutionGroup) -> Bool {
        for deferred in group.objects where deferred.objects.count > 0 { unexpanded.append(deferred.objects) }
        for tail in group.tails { tail.items = completeValue(tail.stream.children, tail.rest) }
        expand()
        return !unresolved.isEmpty
    }

    // MARK: - Rounds

    /// Executes all fields that do not suspend, then a round of fields that suspend, and repeats both until no field is
    /// left.
    func executeRounds() async throws(CancellationError) {
        while true {
            expand()
            if Task.isCancelled { throw CancellationError() }
            if unresolved.isEmpty { return }
            if unresolved.count == 1, observation?.observesLevels != true {
                let only = unresolved.removeLast()
                only.objects.results[only.position] = completeValue(only.field, await resolveAlone(only))
                continue
            }
            let round = unresolved
            unresolved = []
            for (field, result) in zip(round, await resolve(round)) {
                field.objects.results[field.position] = completeValue(field.field, result)
            }
        }
    }

    /// Executes all fields that do not suspend, at any depth, and collects the others for the next round.
    private func expand() {
        var next = 0
        while next < unexpanded.count {
            let objects = unexpanded[next]
            for position in objects.selection.completed { executeField(objects, position) }
            next += 1
        }
        unexpanded.removeAll()
    }

    /// Spec: 6.4 ExecuteField, for all objects of a set
    private func executeField(_ objects: ObjectSet, _ position: Int) {
        let field = objects.selection.fields[position]
        switch field.resolution {
        case .expand(let expand):
            switch input(of: field) {
            case .success(let context):
                let completed = expand(objects.column, 0..<objects.count, context)
                objects.results[position] = completeValue(field, completed)
            case .failure(let error):
                objects.results[position] = .failed(error)
            }
        case .snapshot:
            objects.results[position] = snapshots[field.index]
        case .load, .batch:
            unresolved.append(UnresolvedField(objects: objects, position: position))
        case .constant, .stream:
            return
        }
    }

    private func resolve(_ round: [UnresolvedField]) async -> [FieldResult] {
        guard let observation, observation.observesLevels else { return await resolveTogether(round) }
        return await observation.observer.resolveLevel(of: round.map(\.field.responseName)) {
            await resolveTogether(round)
        }
    }

    /// Resolves the fields of a round. All loads are started before any is awaited, so that together they cost one
    /// round trip.
    /// - Returns: the results in the order of the fields.
    private func resolveTogether(_ round: [UnresolvedField]) async -> [FieldResult] {
        let started = round.map(start)
        var results = [FieldResult?](repeating: nil, count: round.count)
        var batches: [(index: Int, pending: Pending<CompletedColumn>)] = []
        for (index, field) in started.enumerated() {
            if case .batch(let pending) = field { batches.append((index, pending)) }
        }
        if batches.count == 1 {
            results[batches[0].index] = await result(of: batches[0].pending)
        } else if !batches.isEmpty {
            for (index, result) in await runConcurrently(batches) { results[index] = result }
        }
        for (index, field) in started.enumerated() where results[index] == nil {
            results[index] = await result(of: field)
        }
        return results.map { $0 ?? .failure(CancellationError()) }
    }

    /// Resolves the only field of a round.
    private func resolveAlone(_ unresolved: UnresolvedField) async -> FieldResult {
        await result(of: start(unresolved))
    }

    /// Starts a field's load. A batch begins when it is awaited.
    private func start(_ unresolved: UnresolvedField) -> StartedField {
        let field = unresolved.field
        let column = unresolved.objects.column
        switch (input(of: field), field.resolution) {
        case (.failure(let error), _): return .failed(error)
        case (.success(let context), .load(let start)):
            do {
                guard let observation, let fields = observation.fields else { return .load(try start(column, context)) }
                let place = fields[field.index]
                let load = try observation.observer.start(place) { try start(column, context) }
                return .load(load.observed(at: place, by: observation.observer))
            } catch {
                return .failed(error)
            }
        case (.success(let context), .batch(let run)):
            let batch = Pending { try await run(column, context) }
            guard let observation, let fields = observation.fields else { return .batch(batch) }
            return .batch(batch.observed(at: fields[field.index], by: observation.observer))
        case (.success, _): return .failed(CancellationError())
        }
    }

    // MARK: - Arguments

    /// The field's context. Its arguments are coerced once for each `Execution`.
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

    // MARK: - Value completion

    private func completeValue(_ field: PlannedField, _ result: FieldResult) -> CompletedSlots {
        switch result {
        case .success(let completed): completeValue(field, completed)
        case .failure(let error): .failed(mask(error))
        }
    }

    /// Spec: 6.4.3 CompleteValue, for a column of values
    func completeValue(_ field: PlannedField, _ result: CompletedColumn) -> CompletedSlots {
        guard let stream = field.stream else { return completeValue(field.children, result) }
        switch initialCount(of: stream) {
        case .success(let count): return completeListValue(field, stream, result, initialCount: count)
        case .failure(let error): return .failed(error)
        }
    }

    private func completeValue(_ children: PlannedField.Children, _ result: CompletedColumn) -> CompletedSlots {
        switch result {
        case .optional(let rows, let next): .optional(rows: rows, completeValue(children, next))
        case .list(let offsets, let next): .list(offsets: offsets, completeValue(children, next))
        case .failing(let rows, let errors, let next):
            .failing(rows: rows, errors: errors.map(mask), completeValue(children, next))
        case .values(let column, let count): completeValue(children, column, count)
        }
    }

    private func completeValue(_ children: PlannedField.Children, _ column: AnyColumn, _ count: Int) -> CompletedSlots {
        switch children {
        case .leaf: .leafs(column)
        case .object(let selection): .objects(objectSet(selection, column, count))
        case .abstract(let members): resolveAbstractType(members, column, count)
        }
    }

    /// Spec: 6.4.3 ResolveAbstractType, for a column of values
    private func resolveAbstractType(
        _ members: [(member: BoundMember, selection: Int)], _ column: AnyColumn, _ count: Int
    ) -> CompletedSlots {
        var split = AbstractSplit(count: count)
        let sets = members.enumerated().map { index, member in
            let (extracted, count) = member.member.extract(column, &split, Int32(truncatingIfNeeded: index))
            return objectSet(member.selection, extracted, count)
        }
        return .abstract(split, sets)
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

    // MARK: - Streamed lists

    private func initialCount(of stream: StreamUsage) -> Result<Int, ExecutionError> {
        var count = 0
        switch stream.initialCount {
        case .constant(let value): count = value
        case .variable(let name):
            switch variables[name] {
            case .int(let value)?: count = value
            case .null?:
                let text = "Argument \"initialCount\" of non-null type \"Int!\" must not be null."
                return .failure(ExecutionError(text, code: .badUserInput))
            default: break
            }
        }
        if count >= 0 { return .success(count) }
        return .failure(ExecutionError("The initialCount of @stream must not be negative.", code: .badUserInput))
    }

    /// Completes the first `initialCount` items of each list and leaves the others to a `StreamTail`.
    /// Spec: incremental delivery, 6.4.3 CompleteListValue
    private func completeListValue(
        _ field: PlannedField, _ stream: StreamUsage, _ result: CompletedColumn, initialCount: Int
    ) -> CompletedSlots {
        switch result {
        case .optional(let rows, let next):
            return .optional(rows: rows, completeListValue(field, stream, next, initialCount: initialCount))
        case .failing(let rows, let errors, let next):
            let next = completeListValue(field, stream, next, initialCount: initialCount)
            return .failing(rows: rows, errors: errors.map(mask), next)
        case .values: return completeValue(field.children, result)
        case .list(let offsets, let items):
            var (head, tail): ([Int], [Int]) = ([], [])
            var (headOffsets, tailOffsets): ([Int32], [Int32]) = ([0], [0])
            for slot in offsets.indices.dropLast() {
                let rows = Int(offsets[slot])..<Int(offsets[slot + 1])
                head += rows.prefix(initialCount)
                tail += rows.dropFirst(initialCount)
                headOffsets.append(Int32(truncatingIfNeeded: head.count))
                tailOffsets.append(Int32(truncatingIfNeeded: tail.count))
            }
            if tail.isEmpty { return completeValue(field.children, result) }
            return .streamed(
                offsets: headOffsets, completeValue(field.children, items.selecting(head)),
                StreamTail(field, stream, offsets: tailOffsets, items.selecting(tail)))
        }
    }

    func executionError(for error: any Error) -> ExecutionError { mask(error) }
}

private final class NoFieldContext: Sendable {}

extension Pending {
    fileprivate func observed(at place: ObservedField, by observer: any ExecutionObserver) -> Pending {
        Pending { try await observer.resolve(place, value) }
    }
}

/// No member of an interface's or union's binding extracted a field's value. This is a bug in the schema's
/// implementation; the error is masked like any other.
public struct UnresolvedAbstractValue: Error, Equatable {
    /// The field's response name.
    public let field: String
}

private func result(of field: Execution.StartedField) async -> Execution.FieldResult {
    switch field {
    case .load(let pending), .batch(let pending): await result(of: pending)
    case .failed(let error): .failure(error)
    }
}

private func result(of pending: Pending<CompletedColumn>) async -> Execution.FieldResult {
    do {
        return .success(try await pending.value())
    } catch {
        return .failure(error)
    }
}

private func runConcurrently(
    _ batches: [(index: Int, pending: Pending<CompletedColumn>)]
) async -> [(Int, Execution.FieldResult)] {
    await withTaskGroup(of: (Int, Execution.FieldResult).self) { group in
        for batch in batches { group.addTask { (batch.index, await result(of: batch.pending)) } }
        var results: [(Int, Execution.FieldResult)] = []
        for await result in group { results.append(result) }
        return results
    }
}
