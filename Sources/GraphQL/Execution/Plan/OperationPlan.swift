/// An operation, compiled for one truth of its conditions: what is executed, with nothing left to look up.
final class OperationPlan: Sendable {
    let operation: OperationType
    let schema: Schema
    let source: Source
    /// The first is the root's.
    let selections: [SelectionPlan]
    let fields: [PlannedField]
    /// What the response's writer copies for each field, see `WriteStep`; and 16 bytes more, which it may read.
    let prefixes: [UInt8]
    /// Whether execution may have to wait for a field, or for its turn.
    let waits: Bool
    /// Empty where nothing is deferred.
    let deferUsages: [DeferUsage]
    /// nil where the operation has no introspection.
    let introspection: IntrospectionFigures?
    /// Whether all subscribers in an event's audience get the same response.
    let sharesEvents: Bool

    init(
        operation: OperationType, schema: Schema, source: Source, selections: [SelectionPlan],
        fields: [PlannedField], prefixes: [UInt8], deferUsages: [DeferUsage],
        introspection: IntrospectionFigures?, sharesEvents: Bool
    ) {
        self.operation = operation
        self.schema = schema
        self.source = source
        self.selections = selections
        self.fields = fields
        self.prefixes = prefixes
        waits = operation != .query || fields.contains { $0.resolution.waits }
        self.deferUsages = deferUsages
        self.introspection = introspection
        self.sharesEvents = sharesEvents
    }
}

/// The merged fields of objects of one type, in the response's order.
final class SelectionPlan: Sendable {
    let fields: [PlannedField]
    /// For each field what the response's writer does.
    let steps: [WriteStep]
    /// Positions of the fields whose values are made before the response is written.
    let completed: [Int]
    /// What @defer begins at these objects; nil at most, where it begins nothing and leaves nothing to deliver later.
    let deferral: Deferral?

    init(fields: [PlannedField], deferral: Deferral?) {
        self.fields = fields
        self.deferral = deferral
        steps = fields.map(\.step)
        completed = fields.indices.filter { fields[$0].step.kind == .completed }
    }
}

/// What the response's writer does for a field: copies a prefix, and writes a value.
///
/// Apart from `PlannedField` and its classes, so that writing a leaf touches no reference count.
struct WriteStep: Sendable {
    enum Kind: Sendable {
        /// The prefix is all: `"__typename":"Thought"`.
        case constant
        /// A leaf that is written from its parent.
        case leaf
        /// The same, by a resolver that asks for a context.
        case contextualLeaf
        /// What the executor has completed.
        case completed
        /// No field: the object has fields that are delivered later.
        case deferral
    }

    let kind: Kind
    /// Where in the plan's prefixes: the encoded response name, with the brace or comma before it and the colon after.
    let prefixStart: Int32
    let prefixCount: Int32
    let write: FieldResolver.Write
}

final class PlannedField: Sendable {
    enum Resolution: Sendable {
        case constant
        case expand(FieldResolver.Expand)
        case load(FieldResolver.Start)
        case batch(FieldResolver.Run)
        case stream(FieldResolver.Open, of: SwiftType)

        var waits: Bool {
            switch self {
            case .constant, .expand: false
            case .load, .batch, .stream: true
            }
        }
    }

    enum Arguments: Sendable {
        case none
        case constant(InputObject)
        /// Coerced once a request.
        case variable([InputValueType], [Argument])
        case invalid(message: String)
    }

    /// What the field's innermost values are: positions in the plan's selections.
    enum Children: Sendable {
        case leaf(LeafShape.Write)
        case object(Int)
        case abstract([(member: BoundMember, selection: Int)])
    }

    /// The position in the plan's fields.
    let index: Int
    let responseName: String
    let locations: [Location]
    let nullability: Nullability
    let step: WriteStep
    let resolution: Resolution
    let takes: FieldResolver.Takes
    let arguments: Arguments
    let children: Children
    let stream: StreamUsage?

    init(
        index: Int, responseName: String, locations: [Location], nullability: Nullability,
        step: WriteStep, resolution: Resolution, takes: FieldResolver.Takes, arguments: Arguments, children: Children,
        stream: StreamUsage? = nil
    ) {
        self.index = index
        self.responseName = responseName
        self.locations = locations
        self.nullability = nullability
        self.step = step
        self.resolution = resolution
        self.takes = takes
        self.arguments = arguments
        self.children = children
        self.stream = stream
    }
}

/// At which levels of its lists a field's type is non-null; level 0 is the field itself.
struct Nullability: Sendable {
    private let nonNull: [Bool]

    init(_ type: TypeReference) {
        var levels: [Bool] = []
        var type = type
        while true {
            levels.append(type.isNonNull)
            guard case .list(let item) = type.nullable else { break }
            type = item
        }
        nonNull = levels
    }

    var isList: Bool { nonNull.count > 1 }

    func isNonNull(at level: Int) -> Bool { nonNull[level] }
}
