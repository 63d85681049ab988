/// Compiles the cost models of a document's operations.
struct CostCompiler {
    private let index: DocumentIndex
    private let schema: Schema
    private let options: CostOptions
    private let fragmentsBottomUp: [Int]
    private var typeWeights: [TypeWeight?]
    private var steps: [CostModel.Step] = []
    private var sizes: [CostModel.Size] = []
    /// By selection set.
    private var ranges: [Range<Int>] = []
    /// By selection set, whether a variable gives the size of one of its own fields.
    private var hasVariables: [Bool] = []

    init(_ index: DocumentIndex, _ schema: Schema, _ options: CostOptions) {
        self.index = index
        self.schema = schema
        self.options = options
        fragmentsBottomUp = index.fragmentsBottomUp
        typeWeights = [TypeWeight?](repeating: nil, count: schema.types.count)
        steps.reserveCapacity(index.selections.count)
        ranges.reserveCapacity(index.selectionSets.count)
        hasVariables.reserveCapacity(index.selectionSets.count)
        for (set, record) in index.selectionSets.enumerated() {
            let isMutationRoot = record.parentType != nil && record.parentType == schema.mutationType
            let (firstStep, firstSize) = (steps.count, sizes.count)
            for selection in index[selectionsOf: Int32(set)] {
                if let step = step(selection, isMutationRoot: isMutationRoot) { steps.append(step) }
            }
            ranges.append(firstStep..<steps.count)
            hasVariables.append(sizes[firstSize...].contains(where: \.dependsOnVariables))
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
            steps: steps, ranges: ranges, sizes: sizes, order: order, root: Int(operation.scope.selectionSet),
            defaultListSize: options.defaultListSize, dependsOnVariables: order.contains { hasVariables[$0] })
    }

    private mutating func step(_ selection: SelectionRecord, isMutationRoot: Bool) -> CostModel.Step? {
        switch selection.kind {
        case .inlineFragment: return fragment(Int(selection.selectionSet))
        case .spread: return fragment(index.selectionSet(ofSpread: selection.position))
        case .field:
            guard let reference = index.fields[Int(selection.position)].definition,
                !schema.isIntrospectionRoot(reference)
            else { return nil }
            let definition = reference.takeUnretainedValue()
            var cost = self.cost(of: definition, at: Int(selection.position))
            if isMutationRoot, definition.costWeight == nil { cost.weight += options.mutation }
            let isFree = cost.weight == 0 && cost.typeWeight == 0 && selection.selectionSet < 0
            return isFree ? nil : CostModel.Step(kind: .field(cost), selectionSet: selection.selectionSet)
        }
    }

    private func fragment(_ set: Int) -> CostModel.Step? {
        if set < 0 { return nil }
        let type = index.selectionSets[set].parentType
        return CostModel.Step(
            kind: .fragment(onObjectType: type.flatMap { schema.isObject($0) ? $0 : nil }), selectionSet: Int32(set))
    }

    /// - Parameter position: the field's position in `DocumentIndex.fields`.
    private mutating func cost(of definition: FieldType, at position: Int) -> CostModel.FieldCost {
        let listSize = definition.listSize
        var cost = CostModel.FieldCost(
            weight: definition.costWeight ?? 0, typeWeight: typeWeight(of: definition, listSize))
        let arguments = index.fields[position].arguments
        for argument in arguments {
            if let definition = definition.argument(named: argument.name.value) {
                cost.weight += weight(of: argument.value, definition)
            }
        }
        if let listSize {
            cost.size = Int32(sizes.count)
            sizes.append(size(listSize, definition, arguments))
        } else if definition.type.nullable.isList {
            cost.list = index.fields[position].name
        }
        return cost
    }

    /// The weight of an object of the field's type; 0 for the objects around the items of a page: see `CostModel`.
    private mutating func typeWeight(of definition: FieldType, _ listSize: ListSize?) -> Double {
        let weight = typeWeight(definition.namedType)
        let isConnection = listSize.map { !$0.sizedFields.isEmpty } ?? false
        return isConnection ? weight.given ?? 0 : weight.value
    }

    private mutating func typeWeight(_ index: TypeIndex) -> TypeWeight {
        if let known = typeWeights[index.rawValue] { return known }
        let weight = TypeWeight(schema[index], options)
        typeWeights[index.rawValue] = weight
        return weight
    }

    private func weight(of value: Value, _ definition: InputValueType) -> Double {
        let own = definition.costWeight ?? 0
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

    private func size(
        _ listSize: ListSize, _ definition: FieldType, _ arguments: [Argument]
    ) -> CostModel.Size {
        let slices = listSize.slicingArguments.compactMap { name -> CostModel.Slice? in
            let standard = definition.argument(named: name)?.defaultValue.flatMap(\.sliceSize)
            guard let argument = arguments.first(where: { $0.name.value == name }) else {
                return standard.map(CostModel.Slice.default)
            }
            if case .variable(let variable) = argument.value.kind { return .variable(variable, default: standard) }
            return InputValue(literal: argument.value).sliceSize.map(CostModel.Slice.literal)
        }
        let isSliced = !listSize.slicingArguments.isEmpty
        // A name that the document does not have is nobody's.
        let sizedFields = listSize.sizedFields.compactMap(index.names.known)
        return CostModel.Size(
            field: definition.name, slices: slices, otherwise: listSize.assumedSize ?? options.defaultListSize,
            requiresOne: isSliced && listSize.requireOneSlicingArgument,
            sizedFields: listSize.sizedFields.isEmpty ? nil : sizedFields)
    }
}

private struct TypeWeight {
    /// The weight of the type's `@cost`.
    let given: Double?
    let value: Double

    init(_ type: NamedType, _ options: CostOptions) {
        given = type.appliedDirectives.costWeight
        let isEdge = type.field(named: "cursor") != nil && type.field(named: "node") != nil
        value = given ?? (type.isComposite && !isEdge && type.name != "PageInfo" ? options.object : 0)
    }
}

extension CostModel.Size {
    fileprivate var dependsOnVariables: Bool { slices.contains { if case .variable = $0 { true } else { false } } }
}

extension TypeReference {
    fileprivate var isList: Bool { if case .list = self { true } else { false } }
}
