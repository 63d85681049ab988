/// From drafts to the plan.
extension PlanCompiler {
    func plan() -> OperationPlan {
        var prefixes: [UInt8] = []
        let graph = SelectionGraph(
            places: drafts.map { draft in
                var names: [String: [Int]] = [:]
                // Resolvers look ahead to what is deferred, too: it may rest on what they give.
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

    /// Computed from the innermost selections outwards: the drafts below a draft follow it.
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

    /// Where the writer comes to the object, before its fields.
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

    /// A serial field is executed when its turn comes, even where it could be written later.
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

extension FieldResolver {
    fileprivate func planned(_ selection: FieldSelection) -> PlannedField.Resolution {
        switch resolution {
        case .value(_, let expand): .expand(expand)
        case .load(let prepare): .load(prepare(selection))
        case .batch(let prepare): .batch(prepare(selection))
        case .stream(let prepare, let type): .stream(prepare(selection), of: type)
        }
    }
}

extension OutputShape {
    /// What a leaf within optionals, lists and `Personal` is made of; nil for objects and abstract values.
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
