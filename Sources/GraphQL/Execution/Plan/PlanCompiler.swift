/// Compiles an operation for one condition mask, breadth-first, so that it never recurses.
struct PlanCompiler {
    /// Selections of one object type, before look-ahead.
    private struct Draft {
        let type: TypeIndex
        let depth: Int
        let selectionSets: [SelectionSet]
        var fields: [DraftField] = []
    }

    private struct DraftField {
        let nodes: [Field]
        let definition: FieldType?
        let resolver: FieldResolver?
        var children: [(type: TypeIndex, draft: Int)] = []
    }

    /// Equal keys select the same below, and share a plan: else types that refer to each other through abstract types
    /// would multiply with each level.
    private struct DraftKey: Hashable {
        let type: TypeIndex
        let depth: Int
        let selectionSets: [Location]
    }

    static let maximumDepth = 128
    static let maximumSelections = 10_000

    private let bound: BoundSchema
    private let source: Source
    private let operation: OperationType
    private let collector: FieldCollector
    private var drafts: [Draft] = []
    private var draftsByKey: [DraftKey: Int] = [:]

    init(bound: BoundSchema, source: Source, operation: OperationType, collector: FieldCollector) {
        self.bound = bound
        self.source = source
        self.operation = operation
        self.collector = collector
    }

    /// Throws where the operation is deeper or larger than a plan may be.
    mutating func compile(_ rootType: TypeIndex, _ selectionSet: SelectionSet) throws(RequestError) -> OperationPlan {
        _ = try draft(rootType, [selectionSet], depth: 0)
        var next = 0
        while next < drafts.count {
            try draftFields(of: next)
            next += 1
        }
        return plan()
    }

    private mutating func draft(
        _ type: TypeIndex, _ selectionSets: [SelectionSet], depth: Int
    ) throws(RequestError) -> Int {
        var locations: [Location] = []
        var distinct: [SelectionSet] = []
        for selectionSet in selectionSets where !locations.contains(selectionSet.location) {
            distinct.append(selectionSet)
            // Documents built by code have no locations to tell selection sets apart by.
            if selectionSet.location != .none { locations.append(selectionSet.location) }
        }
        let key = DraftKey(type: type, depth: depth, selectionSets: locations)
        let isIdentified = locations.count == distinct.count
        if isIdentified, let known = draftsByKey[key] { return known }
        if depth > Self.maximumDepth || drafts.count >= Self.maximumSelections {
            throw RequestError([GraphQLError("The operation is too complex to be planned.", code: .queryTooComplex)])
        }
        if isIdentified { draftsByKey[key] = drafts.count }
        drafts.append(Draft(type: type, depth: depth, selectionSets: distinct))
        return drafts.count - 1
    }

    private mutating func draftFields(of index: Int) throws(RequestError) {
        let draft = drafts[index]
        var fields: [DraftField] = []
        for nodes in collector.collectFields(draft.type, draft.selectionSets) {
            let name = nodes[0].name.value
            if name == "__typename" {
                fields.append(DraftField(nodes: nodes, definition: nil, resolver: nil))
                continue
            }
            guard let (definition, resolver) = bound.field(named: name, of: draft.type) else {
                // Validation has refused it; introspection that is not bound has no fields either.
                let type = bound.schema[draft.type].name
                throw RequestError([
                    GraphQLError(
                        "Cannot query field \"\(name)\" on type \"\(type)\".", code: .validationFailed,
                        locations: nodes.map { source.location(of: $0.location) })
                ])
            }
            var field = DraftField(nodes: nodes, definition: definition, resolver: resolver)
            let below = nodes.compactMap(\.selectionSet)
            for type in possibleTypes(of: definition.type.namedType) {
                field.children.append((type, try self.draft(type, below, depth: draft.depth + 1)))
            }
            fields.append(field)
        }
        drafts[index].fields = fields
    }

    /// The object types of a field's values, in the order of an abstract type's members.
    private func possibleTypes(of type: TypeIndex) -> [TypeIndex] {
        switch bound.schema[type] {
        case .object: [type]
        case .interface, .union: bound.members[type.rawValue].map(\.type)
        case .scalar, .enumeration, .inputObject: []
        }
    }
}

// MARK: - From drafts to the plan

extension PlanCompiler {
    private func plan() -> OperationPlan {
        var prefixes: [UInt8] = []
        let graph = SelectionGraph(
            places: drafts.map { draft in
                var names: [String: [Int]] = [:]
                for field in draft.fields {
                    names[field.nodes[0].name.value, default: []] += field.children.map(\.draft)
                }
                return names
            })
        var fields: [PlannedField] = []
        var selections: [SelectionPlan] = []
        for (index, draft) in drafts.enumerated() {
            let isSerial = index == 0 && operation != .query
            let first = fields.count
            for (position, field) in draft.fields.enumerated() {
                let step = writeStep(of: field, of: draft.type, isFirst: position == 0, isSerial: isSerial, &prefixes)
                let planned = plannedField(
                    field, of: draft.type, index: first + position, step: step, graph)
                fields.append(planned)
            }
            selections.append(SelectionPlan(fields: Array(fields[first...])))
        }
        return OperationPlan(
            operation: operation, schema: bound.schema, source: source, selections: selections, fields: fields,
            prefixes: prefixes + Array(repeating: 0, count: 16))
    }

    private func plannedField(
        _ field: DraftField, of type: TypeIndex, index: Int, step: WriteStep, _ graph: SelectionGraph
    ) -> PlannedField {
        let responseName = field.nodes[0].responseName
        let locations = field.nodes.map(\.location)
        guard let definition = field.definition, let resolver = field.resolver else {
            return PlannedField(
                index: index, responseName: responseName, locations: locations,
                nullability: Nullability(.nonNull(.named(type))), step: step, resolution: .constant,
                takesContext: false, arguments: .none, children: .leaf({ _, _, _ in }))
        }
        let selection = FieldSelection(graph: graph, places: field.children.map(\.draft))
        return PlannedField(
            index: index, responseName: responseName, locations: locations,
            nullability: Nullability(definition.type), step: step, resolution: resolver.planned(selection),
            takesContext: resolver.takesContext, arguments: arguments(of: field.nodes[0], definition),
            children: children(of: field, definition, resolver))
    }

    /// A serial field is executed when its turn comes, even where it could be written later.
    private func writeStep(
        of field: DraftField, of type: TypeIndex, isFirst: Bool, isSerial: Bool, _ prefixes: inout [UInt8]
    ) -> WriteStep {
        let start = prefixes.count
        prefixes += "\(isFirst ? "{" : ",")\"\(field.nodes[0].responseName)\":".utf8
        var kind = WriteStep.Kind.completed
        var write: FieldResolver.Write = { _, _, _, _ in }
        if let resolver = field.resolver {
            if case .value(let writeLeaf, _) = resolver.resolution, resolver.shape.leaf != nil, !isSerial {
                kind = resolver.takesContext ? .contextualLeaf : .leaf
                write = writeLeaf
            }
        } else {
            kind = .constant
            prefixes += "\"\(bound.schema[type].name)\"".utf8
        }
        return WriteStep(
            kind: kind, prefixStart: Int32(truncatingIfNeeded: start),
            prefixCount: Int32(truncatingIfNeeded: prefixes.count - start), write: write)
    }

    private func children(
        of field: DraftField, _ definition: FieldType, _ resolver: FieldResolver
    ) -> PlannedField.Children {
        if let write = resolver.shape.leaf?.write { return .leaf(write) }
        let type = definition.type.namedType
        guard bound.schema[type].isAbstract else { return .object(field.children[0].draft) }
        return .abstract(
            zip(bound.members[type.rawValue], field.children).map { (member: $0, selection: $1.draft) })
    }

    private func arguments(of node: Field, _ definition: FieldType) -> PlannedField.Arguments {
        if definition.arguments.isEmpty { return .none }
        if node.arguments.contains(where: { $0.value.containsVariable }) {
            return .variable(definition.arguments, node.arguments)
        }
        do {
            return .constant(
                try coerceArgumentValues(bound.schema, definition.arguments, node.arguments, [:]))
        } catch {
            return .invalid(message: error.message)
        }
    }
}

extension FieldResolver {
    fileprivate func planned(_ selection: FieldSelection) -> PlannedField.Resolution {
        switch resolution {
        case .value(_, let expand): .expand(expand)
        case .load(let prepare): .load(prepare(selection))
        case .batch(let prepare): .batch(prepare(selection))
        case .stream(let open, let type): .stream(open, of: type)
        }
    }
}

extension OutputShape {
    /// What a leaf within optionals and lists is made of; nil for objects and abstract values.
    var leaf: LeafShape? {
        switch self {
        case .leaf(let leaf): leaf
        case .optional(let shape), .list(let shape): shape.leaf
        case .object, .abstract: nil
        }
    }
}

extension Value {
    fileprivate var containsVariable: Bool {
        switch kind {
        case .variable: true
        case .list(let items): items.contains { $0.containsVariable }
        case .object(let fields): fields.contains { $0.value.containsVariable }
        case .int, .float, .string, .boolean, .null, .enumeration: false
        }
    }
}
