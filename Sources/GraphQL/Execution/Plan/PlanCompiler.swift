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

    /// Throws where the operation is deeper or larger than a plan may be.
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
                // Validation has refused it; introspection that is not bound has no fields either.
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

    /// What is selected below a field, for each of its possible types.
    private mutating func children(
        _ fields: [CollectedField], _ definition: FieldType, of draft: PlanDraft, isStreamed: Bool
    ) throws(RequestError) -> [(type: TypeIndex, draft: Int)] {
        // Items that are streamed, and fragments of the older format, are delivered with all that they have.
        let isApart = isStreamed || collector.format == .deferSpec20220824
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

    /// The fields of a draft without those that are delivered apart, which have drafts of their own.
    /// Spec: incremental delivery, 6.3.2 BuildExecutionPlan
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
            case .current, nil: add(field, to: usages.filtered(of: field))
            case .deferSpec20220824:
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
}
