/// An operation, compiled for one truth of its conditions: what is executed, with nothing left to look up.
final class OperationPlan: Sendable {
    let operation: OperationType
    let schema: Schema
    let source: Source
    /// The first is the root's.
    let selections: [SelectionPlan]
    let fields: [PlannedField]

    init(
        operation: OperationType, schema: Schema, source: Source, selections: [SelectionPlan],
        fields: [PlannedField]
    ) {
        self.operation = operation
        self.schema = schema
        self.source = source
        self.selections = selections
        self.fields = fields
    }
}

/// The merged fields of objects of one type, in the response's order.
final class SelectionPlan: Sendable {
    let fields: [PlannedField]
    /// Positions of the fields whose values are made before the response is written.
    let completed: [Int]

    init(fields: [PlannedField]) {
        self.fields = fields
        completed = fields.indices.filter { if case .completed = fields[$0].step { true } else { false } }
    }
}

final class PlannedField: Sendable {
    /// What the response's writer does for it.
    enum Step: Sendable {
        /// `"__typename":"…"`, with what stands before.
        case constant([UInt8])
        /// A leaf that is written from its parent.
        case leaf(FieldResolver.Write)
        /// What the executor has completed.
        case completed
    }

    enum Resolution: Sendable {
        case constant
        case expand(FieldResolver.Expand)
        case load(FieldResolver.Start)
        case batch(FieldResolver.Run)
        case stream(FieldResolver.Open)
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
    /// The encoded response name, with the brace or comma before it and the colon after it.
    let prefix: [UInt8]
    let locations: [Location]
    let nullability: Nullability
    let step: Step
    let resolution: Resolution
    let takesContext: Bool
    let arguments: Arguments
    let children: Children

    init(
        index: Int, responseName: String, prefix: [UInt8], locations: [Location], nullability: Nullability,
        step: Step, resolution: Resolution, takesContext: Bool, arguments: Arguments, children: Children
    ) {
        self.index = index
        self.responseName = responseName
        self.prefix = prefix
        self.locations = locations
        self.nullability = nullability
        self.step = step
        self.resolution = resolution
        self.takesContext = takesContext
        self.arguments = arguments
        self.children = children
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
