/// Observes the execution of one operation, or of one event of a subscription, for figures in its response, traces and
/// logs. Without an observer the only cost is a comparison with nil for each round and for each field that suspends.
public protocol ExecutionObserver: Sendable {
    /// The parts of the execution that the observer is told of, beside the execution as a whole.
    var detail: ObservationDetail { get }
    /// Calls `body`, which executes and writes the response, or creates the source stream of a subscription.
    func execute<R: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> R
    ) async throws(Failure) -> R
    /// Calls `body`.
    /// - Parameters:
    ///   - fields: the response names of the fields of one round.
    ///   - body: resolves these fields.
    func resolveLevel<R: Sendable>(of fields: [String], _ body: () async -> R) async -> R
    /// Calls `body`, which starts the field's load.
    func start<R: Sendable>(_ field: ObservedField, _ body: () throws -> R) rethrows -> R
    /// Calls `body`, which awaits the field's load or runs its batch.
    func resolve<R: Sendable>(_ field: ObservedField, _ body: () async throws -> R) async rethrows -> R
    /// Entries of the response's `extensions`, read when it is written; not for an event of a subscription. A response
    /// in several parts has them in its first and in its last part.
    var extensions: [(name: String, value: InputValue)] { get }
}

/// The smallest part of an execution that an observer is told of.
public enum ObservationDetail: Sendable {
    case execution
    case levels
    case fields
}

extension ExecutionObserver {
    public var detail: ObservationDetail { .fields }

    public func execute<R: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> R
    ) async throws(Failure) -> R { try await body() }

    public func resolveLevel<R: Sendable>(of fields: [String], _ body: () async -> R) async -> R { await body() }

    public func start<R: Sendable>(_ field: ObservedField, _ body: () throws -> R) rethrows -> R { try body() }

    public func resolve<R: Sendable>(_ field: ObservedField, _ body: () async throws -> R) async rethrows -> R {
        try await body()
    }

    public var extensions: [(name: String, value: InputValue)] { [] }
}

/// A field of the operation, for all objects at its place.
public struct ObservedField: Sendable, Equatable {
    /// The response names from the root to the field, separated by dots, without positions in lists:
    /// `feed.nodes.author`.
    public let path: String
    /// The number of names in the path.
    public let level: Int
}

/// An observer, and what it is told of.
struct Observation {
    let observer: any ExecutionObserver
    let observesLevels: Bool
    /// The fields by `PlannedField.index`; nil where the observer is told of none.
    let fields: [ObservedField]?

    init(_ observer: any ExecutionObserver, of plan: OperationPlan) {
        self.observer = observer
        let detail = observer.detail
        observesLevels = detail != .execution
        fields = detail == .fields ? plan.observedFields() : nil
    }
}

/// Tells two observers of one execution, the first one outside of the second.
public struct ObserverPair: ExecutionObserver {
    private let outer: any ExecutionObserver
    private let inner: any ExecutionObserver

    public init(_ outer: any ExecutionObserver, _ inner: any ExecutionObserver) {
        (self.outer, self.inner) = (outer, inner)
    }

    public var detail: ObservationDetail { .fields }

    public func execute<R: Sendable, Failure: Error>(
        _ body: () async throws(Failure) -> R
    ) async throws(Failure) -> R {
        try await outer.execute { () async throws(Failure) in try await inner.execute(body) }
    }

    public func resolveLevel<R: Sendable>(of fields: [String], _ body: () async -> R) async -> R {
        await outer.resolveLevel(of: fields) { await inner.resolveLevel(of: fields, body) }
    }

    public func start<R: Sendable>(_ field: ObservedField, _ body: () throws -> R) rethrows -> R {
        try outer.start(field) { try inner.start(field, body) }
    }

    public func resolve<R: Sendable>(_ field: ObservedField, _ body: () async throws -> R) async rethrows -> R {
        try await outer.resolve(field) { try await inner.resolve(field, body) }
    }

    public var extensions: [(name: String, value: InputValue)] { outer.extensions + inner.extensions }
}

/// Runs `body`, observed where there is an observer.
func observed<R: Sendable, Failure: Error>(
    by observer: (any ExecutionObserver)?, _ body: () async throws(Failure) -> R
) async throws(Failure) -> R {
    guard let observer else { return try await body() }
    return try await observer.execute(body)
}

extension OperationPlan {
    fileprivate func observedFields() -> [ObservedField] {
        var found = Array(repeating: ObservedField(path: "", level: 0), count: fields.count)
        var pending = [(selection: 0, above: ObservedField(path: "", level: 0))]
        while let (selection, above) = pending.popLast() {
            for field in selections[selection].fields {
                let path = above.path.isEmpty ? field.responseName : "\(above.path).\(field.responseName)"
                let place = ObservedField(path: path, level: above.level + 1)
                found[field.index] = place
                for children in [field.children, field.stream?.children].compactMap({ $0 }) {
                    switch children {
                    case .leaf: continue
                    case .object(let below): pending.append((below, place))
                    case .abstract(let members): pending += members.map { ($0.selection, place) }
                    }
                }
            }
            pending += (selections[selection].deferral?.groups ?? []).map { ($0.selection, above) }
        }
        return found
    }
}

extension InputObject {
    func adding(_ observer: (any ExecutionObserver)?) -> InputObject {
        guard let observer else { return self }
        var object = self
        object.fields += observer.extensions
        return object
    }
}
