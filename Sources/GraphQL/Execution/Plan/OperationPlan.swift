/// An operation compiled for one condition mask: the executor and the response's writer look up no field by its name.
final class OperationPlan: Sendable {
    let operation: OperationType
    let schema: Schema
    let source: Source
    /// The selections of objects. The first is the selection of the root type.
    let selections: [SelectionPlan]
    let fields: [PlannedField]
    /// The bytes that the response's writer copies for the fields, see `WriteStep`, and 16 bytes of padding.
    let prefixes: [UInt8]
    /// True where execution may suspend; false for a query whose fields are all resolved without suspension.
    let waits: Bool
    /// Fields of the root that are resolved before all others.
    let snapshots: [(field: PlannedField, expand: FieldResolver.Expand)]
    /// The uses of @defer; empty if nothing is deferred.
    let deferUsages: [DeferUsage]
    /// The size of the answer to the operation's introspection; nil if the operation has none.
    let introspection: IntrospectionSize?
    /// True where all subscribers in an event's audience get the same response.
    let sharesEvents: Bool

    init(
        operation: OperationType, schema: Schema, source: Source, selections: [SelectionPlan],
        fields: [PlannedField], prefixes: [UInt8], deferUsages: [DeferUsage],
        introspection: IntrospectionSize?, sharesEvents: Bool
    ) {
        self.operation = operation
        self.schema = schema
        self.source = source
        self.selections = selections
        self.fields = fields
        self.prefixes = prefixes
        waits = operation != .query || fields.contains { $0.resolution.waits }
        snapshots = fields.compactMap { field in
            if case .snapshot(let expand) = field.resolution { (field, expand) } else { nil }
        }
        self.deferUsages = deferUsages
        self.introspection = introspection
        self.sharesEvents = sharesEvents
    }
}

/// The merged fields of objects of one type, in the response's order.
final class SelectionPlan: Sendable {
    let fields: [PlannedField]
    /// The steps of the response's writer, one for each entry of `fields`.
    let steps: [WriteStep]
    /// Positions of the fields that the executor completes before the response is written.
    let completed: [Int]
    /// nil where no @defer begins at these objects and none of their fields is delivered later.
    let deferral: Deferral?

    init(fields: [PlannedField], deferral: Deferral?) {
        self.fields = fields
        self.deferral = deferral
        steps = fields.map(\.step)
        completed = fields.indices.filter { fields[$0].step.kind == .completed }
    }
}

/// A step of the response's writer, mostly for a field: it copies a prefix and writes a value.
///
/// The writer reads the steps from `SelectionPlan.steps`. `PlannedField` is a class, so reading the step of each leaf
/// from there would touch a reference count.
struct WriteStep: Sendable {
    enum Kind: Sendable {
        /// The prefix has the value in it: `"__typename":"Thought"`.
        case constant
        /// A leaf, or a list of leafs, that is written from its parent.
        case leaf
        /// A leaf, or a list of leafs, that is written from its parent by a resolver that takes a context.
        case contextualLeaf
        /// A value that the executor has completed.
        case completed
        /// The step of a stand-in, first in `fields` where there is a deferral: it notes what is delivered later.
        case deferral
    }

    let kind: Kind
    /// A range in `OperationPlan.prefixes`: the brace or comma before the field, its response name and the colon.
    let prefixStart: Int32
    let prefixCount: Int32
    let write: FieldResolver.Write
}

/// The fields of a selection that have one response name, merged and compiled for objects of one type.
final class PlannedField: Sendable {
    enum Resolution: Sendable {
        case constant
        case expand(FieldResolver.Expand)
        case snapshot(FieldResolver.Expand)
        case load(FieldResolver.Start)
        case batch(FieldResolver.Run)
        case stream(FieldResolver.Open, of: SwiftType)

        var waits: Bool {
            switch self {
            case .constant, .expand, .snapshot: false
            case .load, .batch, .stream: true
            }
        }
    }

    enum Arguments: Sendable {
        case none
        case constant(InputObject)
        /// Arguments with variables, which are coerced once for each `Execution`.
        case variable([InputValueType], [Argument])
        /// Literals that could not be coerced: an error whenever the field is executed.
        case invalid(message: String)
    }

    /// The kind of the field's innermost values. Objects have positions in `OperationPlan.selections`.
    enum Children: Sendable {
        case leaf(LeafShape.Write)
        case object(Int)
        case abstract([(member: BoundMember, selection: Int)])
    }

    /// The position in `OperationPlan.fields`.
    let index: Int
    let responseName: String
    let locations: [Location]
    let nullability: Nullability
    let step: WriteStep
    let resolution: Resolution
    let takes: FieldResolver.Input
    let arguments: Arguments
    let children: Children
    let stream: StreamUsage?

    init(
        index: Int, responseName: String, locations: [Location], nullability: Nullability,
        step: WriteStep, resolution: Resolution, takes: FieldResolver.Input, arguments: Arguments, children: Children,
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

/// The levels of lists at which a field's type is non-null; level 0 is the field itself, 1 the items of its list.
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
