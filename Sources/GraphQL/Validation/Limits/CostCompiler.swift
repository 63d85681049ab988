/// Compiles the cost models of a document's operations.
struct CostCompiler {
    private let index: DocumentIndex
    private let schema: Schema
    private let options: CostOptions
    private let fragmentsBottomUp: [Int]
    private var steps: [[CostModel.Step]] = []
    private var hasVariables: [Bool] = []

    init(_ index: DocumentIndex, _ schema: Schema, _ options: CostOptions) {
        self.index = index
        self.schema = schema
        self.options = options
        fragmentsBottomUp = index.fragmentsBottomUp
        var names = index.names
        for (set, record) in index.selectionSets.enumerated() {
            let isMutationRoot = record.parentType != nil && record.parentType == schema.mutationType
            let steps = index[selectionsOf: Int32(set)].compactMap { selection in
                step(selection, isMutationRoot: isMutationRoot, &names)
            }
            self.steps.append(steps)
            hasVariables.append(steps.contains(where: \.dependsOnVariables))
        }
    }

    /// - Parameter fragments: the fragments that the operation spreads, transitively.
    func model(of operation: OperationRecord, fragments: [Int]) -> CostModel {
        var isReachable = [Bool](repeating: false, count: index.fragments.count)
        for fragment in fragments { isReachable[fragment] = true }
        var order: [Int] = []
        for fragment in fragmentsBottomUp where isReachable[fragment] {
            order += index.fragments[fragment].scope.selectionSets.reversed()
        }
        order += operation.scope.selectionSets.reversed()
        return CostModel(
            steps: steps, order: order, root: Int(operation.scope.selectionSet),
            defaultListSize: options.defaultListSize, dependsOnVariables: order.contains { hasVariables[$0] })
    }

    private func step(
        _ selection: SelectionRecord, isMutationRoot: Bool, _ names: inout NameTable
    ) -> CostModel.Step? {
        switch selection.kind {
        case .inlineFragment: return fragment(Int(selection.selectionSet))
        case .spread: return fragment(index.selectionSet(ofSpread: selection.position))
        case .field:
            let field = index.fields[Int(selection.position)]
            guard let definition = field.definition?.takeUnretainedValue(), !schema.isIntrospectionRoot(field) else {
                return nil
            }
            var cost = self.cost(of: definition, field, &names)
            if isMutationRoot, definition.directives.costWeight == nil { cost.weight += options.mutation }
            let isFree = cost.weight == 0 && cost.typeWeight == 0 && selection.selectionSet < 0
            return isFree ? nil : CostModel.Step(kind: .field(cost), selectionSet: Int(selection.selectionSet))
        }
    }

    private func fragment(_ set: Int) -> CostModel.Step? {
        if set < 0 { return nil }
        let type = index.selectionSets[set].parentType
        return CostModel.Step(
            kind: .fragment(onObjectType: type.flatMap { schema.isObject($0) ? $0 : nil }), selectionSet: set)
    }

    private func cost(
        of definition: FieldType, _ field: FieldRecord, _ names: inout NameTable
    ) -> CostModel.FieldCost {
        let listSize = ListSize(definition.directives)
        var cost = CostModel.FieldCost(
            name: definition.name, weight: definition.directives.costWeight ?? 0,
            typeWeight: typeWeight(of: definition, listSize), size: .one, list: nil,
            sizedFields: listSize.map { $0.sizedFields.map { names.id(of: $0) } } ?? [])
        for argument in field.arguments {
            if let definition = definition.argument(named: argument.name.value) {
                cost.weight += weight(of: argument.value, definition)
            }
        }
        if let listSize {
            cost.size = size(listSize, definition, field)
        } else if definition.type.nullable.isList {
            cost.size = .unknown
            cost.list = field.name
        }
        return cost
    }

    /// The weight of an object of the field's type; 0 for the objects around the items of a page: see `CostModel`.
    private func typeWeight(of definition: FieldType, _ listSize: ListSize?) -> Double {
        let type = schema[definition.namedType]
        if let weight = type.appliedDirectives.costWeight { return weight }
        guard type.isComposite else { return 0 }
        let isConnection = listSize.map { !$0.sizedFields.isEmpty } ?? false
        let isEdge = type.field(named: "cursor") != nil && type.field(named: "node") != nil
        return isConnection || isEdge || type.name == "PageInfo" ? 0 : options.object
    }

    private func weight(of value: Value, _ definition: InputValueType) -> Double {
        let own = definition.directives.costWeight ?? 0
        guard case .inputObject(let object) = schema[definition.type.namedType] else { return own }
        switch value.kind {
        case .object(let fields):
            return fields.reduce(own) { sum, field in
                sum + (object.field(named: field.name.value).map { weight(of: field.value, $0) } ?? 0)
            }
        case .list(let items): return items.reduce(own) { $0 + weight(of: $1, definition) }
        case .variable, .int, .float, .string, .boolean, .null, .enumeration: return own
        }
    }

    private func size(_ listSize: ListSize, _ definition: FieldType, _ field: FieldRecord) -> CostModel.Size {
        let assumed = listSize.assumedSize ?? options.defaultListSize
        if listSize.slicingArguments.isEmpty { return .known(assumed) }
        let slices = listSize.slicingArguments.compactMap { name -> CostModel.Slice? in
            let standard = definition.argument(named: name)?.defaultValue.flatMap(\.sliceSize)
            guard let argument = field.arguments.first(where: { $0.name.value == name }) else {
                return standard.map(CostModel.Slice.default)
            }
            if case .variable(let variable) = argument.value.kind { return .variable(variable, default: standard) }
            return InputValue(literal: argument.value).sliceSize.map(CostModel.Slice.literal)
        }
        return .sliced(by: slices, otherwise: assumed, requiresOne: listSize.requireOneSlicingArgument)
    }
}

extension CostModel.Step {
    fileprivate var dependsOnVariables: Bool {
        guard case .field(let field) = kind, case .sliced(let slices, _, _) = field.size else { return false }
        return slices.contains { if case .variable = $0 { true } else { false } }
    }
}

extension TypeReference {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
