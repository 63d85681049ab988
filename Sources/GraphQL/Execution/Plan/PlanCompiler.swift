/// Compiles an operation for one condition mask, breadth-first, so that it never recurses.
struct PlanCompiler {
    static let maximumDepth = 128
    static let maximumSelections = 10_000

    let bound: BoundSchema
    let source: Source
    let operation: OperationType
    private let collector: FieldCollector
    private(set) var drafts: [PlanDraft] = []
    private var draftsByKey: [DraftKey: Int] = [:]
    private(set) var usages: [DeferUsage] = []

    init(bound: BoundSchema, source: Source, operation: OperationType, collector: FieldCollector) {
        self.bound = bound
        self.source = source
        self.operation = operation
        self.collector = collector
    }

    /// - Throws: `QUERY_TOO_COMPLEX` where the operation is deeper or larger than a plan may be.
    mutating func compile(_ rootType: TypeIndex, _ selectionSet: SelectionSet) throws(RequestError) -> OperationPlan {
        _ = try draft(rootType, [CollectedSelectionSet(selectionSet: selectionSet, usage: -1)], group: [], depth: 0)
        var next = 0
        while next < drafts.count {
            try draftFields(of: next)
            next += 1
        }
        return plan()
    }

    private mutating func draft(
        _ type: TypeIndex, _ selectionSets: [CollectedSelectionSet], group: [Int], depth: Int
    ) throws(RequestError) -> Int {
        var locations: [Location] = []
        var usages: [Int] = []
        var distinct: [CollectedSelectionSet] = []
        for collected in selectionSets {
            let location = collected.selectionSet.location
            // Documents built by code have no locations to tell selection sets apart by.
            if location != .none {
                if locations.indices.contains(where: { locations[$0] == location && usages[$0] == collected.usage }) {
                    continue
                }
                locations.append(location)
                usages.append(collected.usage)
            }
            distinct.append(collected)
        }
        let key = DraftKey(type: type, depth: depth, selectionSets: locations, usages: usages, group: group)
        let isIdentified = locations.count == distinct.count
        if isIdentified, let known = draftsByKey[key] { return known }
        if isIdentified { draftsByKey[key] = drafts.count }
        return try add(PlanDraft(type: type, depth: depth, group: group, selectionSets: distinct))
    }

    private mutating func add(_ draft: PlanDraft) throws(RequestError) -> Int {
        if draft.depth > Self.maximumDepth || drafts.count >= Self.maximumSelections {
            throw RequestError([GraphQLError("The operation is too complex to be planned.", code: .queryTooComplex)])
        }
        drafts.append(draft)
        return drafts.count - 1
    }

    private mutating func draftFields(of index: Int) throws(RequestError) {
        let draft = drafts[index]
        var fields: [DraftField] = []
        for collected in try collect(index) {
            let nodes = collected.distinctNodes
            let name = nodes[0].name.value
            if name == "__typename" {
                fields.append(DraftField(nodes: nodes, definition: nil, resolver: nil))
                continue
            }
            guard let (definition, resolver) = bound.field(named: name, of: draft.type) else {
                // This happens only if the document was not validated, or asks for introspection that the schema does
                // not have.
                let type = bound.schema[draft.type].name
                throw RequestError([
                    GraphQLError(
                        "Cannot query field \"\(name)\" on type \"\(type)\".", code: .validationFailed,
                        locations: nodes.map { source.location(of: $0.location) })
                ])
            }
            var field = DraftField(nodes: nodes, definition: definition, resolver: resolver)
            field.children = try children(collected, definition, of: draft, isStreamed: false)
            if let directive = try stream(of: nodes[0], definition) {
                field.stream = (directive, try children(collected, definition, of: draft, isStreamed: true))
            }
            fields.append(field)
        }
        drafts[index].fields = fields
    }

    /// The drafts of the selection below a field, one for each of its possible types.
    private mutating func children(
        _ fields: [CollectedField], _ definition: FieldType, of draft: PlanDraft, isStreamed: Bool
    ) throws(RequestError) -> [(type: TypeIndex, draft: Int)] {
        // Streamed items, and deferred fragments in `.deferSpec`, are delivered with all their fields.
        let isApart = isStreamed || collector.format == .deferSpec
        var below: [CollectedSelectionSet] = []
        for field in fields {
            guard let selectionSet = field.node.selectionSet else { continue }
            below.append(CollectedSelectionSet(selectionSet: selectionSet, usage: isApart ? -1 : field.usage))
        }
        var children: [(type: TypeIndex, draft: Int)] = []
        for type in possibleTypes(of: definition.type.namedType) {
            let child = try self.draft(type, below, group: isApart ? [] : draft.group, depth: draft.depth + 1)
            children.append((type, child))
        }
        return children
    }

    private func stream(of node: Field, _ definition: FieldType) throws(RequestError) -> Directive? {
        guard !node.directives.isEmpty, case .list = definition.type.nullable else { return nil }
        return try collector.incremental("stream", node.directives)
    }

    /// The fields of a draft that are delivered together. Fields that are delivered later get drafts of their own.
    /// Spec: incremental delivery, 6.4.5 Execution Plan Generation, BuildExecutionPlan
    private mutating func collect(_ index: Int) throws(RequestError) -> [[CollectedField]] {
        let draft = drafts[index]
        if let collected = draft.collected { return collected }
        let known = usages.count
        let fields = try collector.collectFields(draft.type, draft.selectionSets, usages: &usages)
        if usages.isEmpty { return fields }
        var own: [[CollectedField]] = []
        var parts: [(usages: [Int], fields: [[CollectedField]])] = []
        func add(_ fields: [CollectedField], to usages: [Int]) {
            if usages == draft.group {
                own.append(fields)
            } else if let part = parts.firstIndex(where: { $0.usages == usages }) {
                parts[part].fields.append(fields)
            } else {
                parts.append((usages, [fields]))
            }
        }
        for field in fields {
            switch collector.format {
            case .current, nil: add(field, to: usages.filteredDeferUsageSet(field))
            case .deferSpec:
                var rest = field
                while let usage = rest.first?.usage {
                    add(rest.filter { $0.usage == usage }, to: usage < 0 ? [] : [usage])
                    rest.removeAll { $0.usage == usage }
                }
            }
        }
        drafts[index].usages = known..<usages.count
        for part in parts {
            let group = collector.format == .current ? part.usages : []
            let draft = try self.add(
                PlanDraft(type: draft.type, depth: draft.depth, group: group, selectionSets: [], collected: part.fields)
            )
            drafts[index].deferred.append((part.usages, draft))
        }
        return own
    }

    /// The object types of a field's values, in the order of an abstract type's members.
    private func possibleTypes(of type: TypeIndex) -> [TypeIndex] {
        switch bound.schema[type] {
        case .object: [type]
        case .interface, .union: bound.members[type.rawValue].map(\.type)
        case .scalar, .enumeration, .inputObject: []
        }
    }

    // MARK: - From drafts to the plan

    func plan() -> OperationPlan {
        var prefixes: [UInt8] = []
        let graph = SelectionGraph(
            places: drafts.map { draft in
                var names: [String: [Int]] = [:]
                // A resolver's look-ahead includes deferred fields, because they may be resolved from the objects that
                // it returns.
                for part in [draft] + draft.deferred.map({ drafts[$0.draft] }) {
                    for field in part.fields {
                        names[field.nodes[0].name.value, default: []] += field.children.map(\.draft)
                    }
                }
                return names
            }, sharing: sharing())
        var fields: [PlannedField] = []
        var selections: [SelectionPlan] = []
        for (index, draft) in drafts.enumerated() {
            let isSerial = index == 0 && operation != .query
            let first = fields.count
            let deferral = deferral(of: draft)
            if deferral != nil {
                fields.append(deferralField(index: first, hasFields: !draft.fields.isEmpty, &prefixes))
            }
            for (position, field) in draft.fields.enumerated() {
                let step = writeStep(of: field, of: draft.type, isFirst: position == 0, isSerial: isSerial, &prefixes)
                fields.append(plannedField(field, of: draft.type, index: fields.count, step: step, graph))
            }
            selections.append(SelectionPlan(fields: Array(fields[first...]), deferral: deferral))
        }
        var introspection = IntrospectionMeasure(drafts, of: bound.schema)
        return OperationPlan(
            operation: operation, schema: bound.schema, source: source, selections: selections, fields: fields,
            prefixes: prefixes + Array(repeating: 0, count: 16), deferUsages: usages,
            introspection: introspection.figures(), sharesEvents: sharesEvents(graph))
    }

    /// The sharing of each draft, computed from the last draft to the first, since the drafts below a draft follow it.
    /// With @defer they may not, and it may be wrong; subscriptions have none.
    private func sharing() -> [SelectionSharing] {
        var sharing = Array(repeating: SelectionSharing.never, count: drafts.count)
        for (index, draft) in drafts.enumerated().reversed() where bound.sharedTypes[draft.type.rawValue] {
            let fields = draft.fields + draft.deferred.flatMap { drafts[$0.draft].fields }
            let isShared = fields.allSatisfy { field in
                (field.resolver?.isShared ?? true) && field.children.map { sharing[$0.draft] }.isShared
            }
            sharing[index] = isShared ? .shared : .personal
        }
        return sharing
    }

    private func sharesEvents(_ graph: SelectionGraph) -> Bool {
        guard operation == .subscription, let event = drafts[0].fields.first else { return false }
        return FieldSelection(graph: graph, places: event.children.map(\.draft)).isShared
    }

    private func deferral(of draft: PlanDraft) -> Deferral? {
        if draft.usages.isEmpty && draft.deferred.isEmpty { return nil }
        return Deferral(
            usages: draft.usages,
            groups: draft.deferred.map { DeferredSelection(usages: $0.usages, selection: $0.draft) })
    }

    /// The field whose step the writer runs at an object before the object's fields.
    private func deferralField(index: Int, hasFields: Bool, _ prefixes: inout [UInt8]) -> PlannedField {
        let start = prefixes.count
        if !hasFields { prefixes.append(UInt8(ascii: "{")) }
        let step = WriteStep(
            kind: .deferral, prefixStart: Int32(truncatingIfNeeded: start),
            prefixCount: Int32(truncatingIfNeeded: prefixes.count - start), write: { _, _, _, _ in })
        return PlannedField(
            index: index, responseName: "", locations: [], nullability: Nullability(.named(.undefined)), step: step,
            resolution: .constant, takes: .nothing, arguments: .none, children: .leaf({ _, _, _ in }))
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
                takes: .nothing, arguments: .none, children: .leaf({ _, _, _ in }))
        }
        let selection = FieldSelection(graph: graph, places: field.children.map(\.draft))
        return PlannedField(
            index: index, responseName: responseName, locations: locations,
            nullability: Nullability(definition.type), step: step, resolution: resolver.planned(selection),
            takes: resolver.takes, arguments: arguments(of: field.nodes[0], definition),
            children: children(field.children, definition, resolver),
            stream: field.stream.map { streamUsage($0.directive, children($0.children, definition, resolver)) })
    }

    private func streamUsage(_ directive: Directive, _ children: PlannedField.Children) -> StreamUsage {
        let argument = directive.arguments.first { $0.name.value == "initialCount" }?.value
        var count = StreamUsage.InitialCount.constant(0)
        if case .variable(let name)? = argument?.kind {
            count = .variable(name)
        } else if let argument, case .int(let value) = InputValue(literal: argument) {
            count = .constant(value)
        }
        return StreamUsage(label: directive.label, initialCount: count, children: children)
    }

    /// The executor completes the root fields of mutations and subscriptions, and streamed fields, even where the
    /// writer could resolve them.
    private func writeStep(
        of field: DraftField, of type: TypeIndex, isFirst: Bool, isSerial: Bool, _ prefixes: inout [UInt8]
    ) -> WriteStep {
        let start = prefixes.count
        prefixes += "\(isFirst ? "{" : ",")\"\(field.nodes[0].responseName)\":".utf8
        var kind = WriteStep.Kind.completed
        var write: FieldResolver.Write = { _, _, _, _ in }
        if let resolver = field.resolver {
            if case .value(let writeLeaf, _) = resolver.resolution, resolver.shape.leaf != nil, !isSerial,
                field.stream == nil
            {
                kind = resolver.takes == .nothing ? .leaf : .contextualLeaf
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
        _ drafts: [(type: TypeIndex, draft: Int)], _ definition: FieldType, _ resolver: FieldResolver
    ) -> PlannedField.Children {
        if let write = resolver.shape.leaf?.write { return .leaf(write) }
        let type = definition.type.namedType
        guard bound.schema[type].isAbstract else { return .object(drafts[0].draft) }
        return .abstract(
            zip(bound.members[type.rawValue], drafts).map { (member: $0, selection: $1.draft) })
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

// MARK: - Drafts

/// The selection of one object type at one place, before it becomes a `SelectionPlan`.
struct PlanDraft {
    let type: TypeIndex
    let depth: Int
    /// The usages of @defer that its fields are delivered with; empty for fields of the first response and of streamed
    /// items, and in `IncrementalFormat.deferSpec`.
    let group: [Int]
    let selectionSets: [CollectedSelectionSet]
    /// The fields of a draft that was split off from another; nil where they are collected from the selection sets.
    var collected: [[CollectedField]]?
    var fields: [DraftField] = []
    var usages = 0..<0
    var deferred: [(usages: [Int], draft: Int)] = []
}

/// A field of a draft; without definition and resolver it is `__typename`.
struct DraftField {
    let nodes: [Field]
    let definition: FieldType?
    let resolver: FieldResolver?
    var children: [(type: TypeIndex, draft: Int)] = []
    var stream: (directive: Directive, children: [(type: TypeIndex, draft: Int)])?
}

/// Drafts with equal keys select the same fields and are compiled once. Without the key, the drafts of types that refer
/// to each other through abstract types would multiply with each level.
struct DraftKey: Hashable {
    let type: TypeIndex
    let depth: Int
    let selectionSets: [Location]
    let usages: [Int]
    let group: [Int]
}

extension FieldResolver {
    fileprivate func planned(_ selection: FieldSelection) -> PlannedField.Resolution {
        switch resolution {
        case .value(_, let expand): .expand(expand)
        case .snapshot(let expand): .snapshot(expand)
        case .load(let prepare): .load(prepare(selection))
        case .batch(let prepare): .batch(prepare(selection))
        case .stream(let prepare, let type): .stream(prepare(selection), of: type)
        }
    }
}

extension OutputShape {
    /// The leaf inside all optionals, lists and `Personal`; nil for objects and abstract values.
    var leaf: LeafShape? {
        switch self {
        case .leaf(let leaf): leaf
        case .optional(let shape), .list(let shape), .personal(let shape): shape.leaf
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
