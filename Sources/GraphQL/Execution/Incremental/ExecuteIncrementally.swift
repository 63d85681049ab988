/// Executes a query or a mutation whose response may come in several parts. If the plan was made without a format, or
/// if the operation uses neither @defer nor @stream, the response comes in one part, as with
/// ``execute(_:variables:context:extensions:observer:)``.
///
/// A deferred fragment is executed only after a response has announced it to the client.
///
/// - Parameters:
///   - plan: the plan for the variables' condition mask and the response's format.
///   - variables: coerced values by name.
///   - context: the context of the request.
///   - extensions: the first response's `extensions`.
///   - observer: is told of the fields that suspend, and adds to the extensions of the first and the last response.
///   - deliver: called with each response and with whether another follows. It returns false to end the execution.
/// - Throws: `CancellationError` if the task is cancelled; execution stops between two rounds. Errors of fields are
///   part of the responses.
/// Spec: incremental delivery, 6.2 Executing Operations
public func executeIncrementally<Context: ExecutionContext>(
    _ plan: Plan<Context>, variables: [String: InputValue], context: Context,
    extensions: InputObject = InputObject(), observer: (any ExecutionObserver)? = nil,
    deliver: (Response, _ hasNext: Bool) async -> Bool
) async throws(CancellationError) {
    let execution = Execution(plan.operation, variables: variables, context: context, observer: observer)
    let root = try await execution.executeRootSelectionSet()
    guard let format = plan.format else {
        _ = await deliver(Response(execution, root, extensions: extensions.adding(observer)), false)
        return
    }
    var publisher = IncrementalPublisher(execution, format)
    let first = publisher.begin(root, extensions: extensions.adding(observer))
    guard await deliver(first, publisher.hasNext), publisher.hasNext else { return }
    await publisher.publish(deliver)
    if Task.isCancelled { throw CancellationError() }
}

/// Executes, writes and delivers the deferred fragments and streamed lists after the first response, in the order in
/// which they become ready.
struct IncrementalPublisher {
    /// The largest number of groups that are suspended at the same time.
    static let maximumStarted = 8

    private let execution: Execution
    private let encoder: IncrementalEncoder
    private var graph: DeliveryGraph
    /// The deliveries that wait until their source is executed, by the source. A delivery refers to its source. A source
    /// must not refer to its deliveries, because nothing would remove that reference when an execution is cancelled.
    private var waiting: [ObjectIdentifier: [Delivery]] = [:]
    private var unstarted: [ExecutionGroup] = []
    private var nextUnstarted = 0
    private var suspended: [StartedGroup] = []
    private var startedCount = 0

    init(_ execution: Execution, _ format: IncrementalFormat) {
        self.execution = execution
        encoder = IncrementalEncoder(plan: execution.plan, format: format)
        graph = DeliveryGraph(format)
    }

    var hasNext: Bool { graph.hasNext }

    mutating func begin(_ root: ObjectSet, extensions: InputObject) -> Response {
        var graph = graph
        let response = Response(execution, root, extensions: extensions) { [encoder] later, json in
            graph.add(later)
            let payload = graph.takePayload()
            if graph.hasNext { encoder.write(payload, hasNext: true, to: &json) }
        }
        self.graph = graph
        return response
    }

    mutating func publish(_ deliver: (Response, Bool) async -> Bool) async {
        var publisher = self
        await withTaskGroup(of: StartedGroup?.self) { tasks in
            while true {
                publisher.advance()
                for started in publisher.suspended {
                    tasks.addTask {
                        do throws(CancellationError) {
                            try await started.execution.executeRounds()
                            return started
                        } catch {
                            return nil
                        }
                    }
                }
                publisher.suspended.removeAll()
                let payload = publisher.graph.takePayload()
                if !payload.isEmpty {
                    let hasNext = publisher.graph.hasNext
                    let response = publisher.encoder.response(
                        payload, hasNext: hasNext,
                        extensions: hasNext
                            ? InputObject() : InputObject().adding(publisher.execution.observation?.observer))
                    guard await deliver(response, hasNext), hasNext else { break }
                    continue
                }
                guard let finished = await tasks.next(), let finished else { break }
                publisher.startedCount -= 1
                publisher.finish(finished.group)
            }
            tasks.cancelAll()
        }
    }

    /// Writes the deliveries whose execution has ended and starts the groups of the others, until no group can go on
    /// without waiting.
    private mutating func advance() {
        repeat {
            var groups = ExecutionGroups()
            while let delivery = graph.takeDue() {
                let source = delivery.source
                if source.state == .executed {
                    write(delivery)
                    continue
                }
                waiting[ObjectIdentifier(source), default: []].append(delivery)
                if source.state == .idle {
                    source.state = .started
                    groups.add(delivery)
                }
            }
            unstarted += groups.groups
        } while start()
    }

    /// Starts groups, as long as fewer than `maximumStarted` are suspended.
    /// - Returns: whether a group was executed to its end without suspension.
    private mutating func start() -> Bool {
        var hasExecuted = false
        while nextUnstarted < unstarted.count, startedCount < Self.maximumStarted {
            let group = unstarted[nextUnstarted]
            nextUnstarted += 1
            let execution = Execution(for: execution)
            if execution.begin(group) {
                startedCount += 1
                suspended.append(StartedGroup(group: group, execution: execution))
            } else {
                finish(group)
                hasExecuted = true
            }
        }
        if nextUnstarted == unstarted.count {
            unstarted.removeAll()
            nextUnstarted = 0
        }
        return hasExecuted
    }

    /// Marks the parts of a group as executed. The deliveries that waited for them become due.
    private mutating func finish(_ group: ExecutionGroup) {
        for part in group.parts {
            part.state = .executed
            graph.add(due: waiting.removeValue(forKey: ObjectIdentifier(part)) ?? [])
        }
    }

    private mutating func write(_ delivery: Delivery) {
        // Swift passes the array `prefixes` as a pointer that is valid only during the call.
        let written = Self.written(delivery, execution, execution.plan.prefixes)
        switch delivery {
        case .part(let part): graph.wrote(part, written)
        case .stream(let stream): graph.wrote(stream, written)
        }
    }

    private static func written(
        _ delivery: Delivery, _ execution: Execution, _ prefixes: UnsafeRawPointer
    ) -> WrittenPart {
        var writer = ResponseWriter(execution, prefixes)
        switch delivery {
        case .part(let part): return writer.write(part)
        case .stream(let stream): return writer.write(stream)
        }
    }
}

/// Sorts deliveries into groups that are executed together. A group has the parts of the same deferred fragments, or
/// the lists of one streamed field.
private struct ExecutionGroups {
    var groups: [ExecutionGroup] = []
    private var positions: [[Int]: Int] = [:]

    mutating func add(_ delivery: Delivery) {
        switch delivery {
        case .stream(let stream): groups.append(ExecutionGroup(tails: [stream.tail]))
        case .part(let part):
            if let position = positions[part.deferred.usages] {
                groups[position].objects.append(part.deferred)
            } else {
                positions[part.deferred.usages] = groups.count
                groups.append(ExecutionGroup(objects: [part.deferred]))
            }
        }
    }
}
