/// Observes the execution of one operation, for figures in its response. An execution without an observer compares with
/// nil once for each field that suspends, and does nothing else.
public protocol ExecutionObserver: Sendable {
    /// Calls `body`, which starts the field's load.
    func start<R: Sendable>(_ field: ObservedField, _ body: () throws -> R) rethrows -> R
    /// Calls `body`, which awaits the field's load or runs its batch.
    func resolve<R: Sendable>(_ field: ObservedField, _ body: () async throws -> R) async rethrows -> R
    /// Entries of the response's `extensions`, read when a response is written. A response in several parts has them in
    /// its first and in its last part.
    var extensions: [(name: String, value: InputValue)] { get }
}

/// A field of the operation, for all objects at its place.
public struct ObservedField: Sendable, Equatable {
    /// The response names from the root to the field, separated by dots, without positions in lists:
    /// `feed.nodes.author`.
    public let path: String
    /// The number of names in the path.
    public let level: Int
}

/// An observer and the fields that it is told of, by `PlannedField.index`.
struct Observation {
    let observer: any ExecutionObserver
    let fields: [ObservedField]

    init(_ observer: any ExecutionObserver, of plan: OperationPlan) {
        self.observer = observer
        fields = plan.observedFields()
    }
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
