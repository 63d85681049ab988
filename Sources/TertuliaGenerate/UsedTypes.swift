import GraphQL

/// The enums and input types that the documents need, through other inputs too, in the order of the schema.
struct UsedTypes {
    private(set) var enums: [EnumType] = []
    private(set) var inputs: [InputObjectType] = []
    private let schema: Schema
    private var indices: Set<TypeIndex> = []

    init(_ documents: DocumentSet, schema: Schema) {
        self.schema = schema
        for operation in documents.operations {
            for variable in operation.variableDefinitions {
                if let type = schema.typeIndex(named: variable.type.name) { add(type) }
            }
            if let root = schema.rootType(for: operation.operation) { add(operation.selectionSet, on: root) }
        }
        for fragment in documents.fragments.values {
            if let type = schema.typeIndex(named: fragment.typeCondition.name.value) {
                add(fragment.selectionSet, on: type)
            }
        }
        for index in schema.types.indices where indices.contains(TypeIndex(index)) {
            switch schema.types[index] {
            case .enumeration(let type): enums.append(type)
            case .inputObject(let type): inputs.append(type)
            case .scalar, .object, .interface, .union: break
            }
        }
    }

    private mutating func add(_ type: TypeIndex) {
        guard indices.insert(type).inserted, case .inputObject(let input) = schema[type] else { return }
        for field in input.fields { add(field.namedType) }
    }

    private mutating func add(_ set: SelectionSet, on type: TypeIndex) {
        for selection in set.selections {
            switch selection {
            case .fragmentSpread: break
            case .inlineFragment(let fragment):
                let narrowed = fragment.typeCondition.flatMap { schema.typeIndex(named: $0.name.value) } ?? type
                add(fragment.selectionSet, on: narrowed)
            case .field(let field):
                guard let definition = schema.fieldType(field.name.value, of: type) else { continue }
                if let selected = field.selectionSet {
                    add(selected, on: definition.namedType)
                } else {
                    add(definition.namedType)
                }
            }
        }
    }
}

extension TypeNode {
    /// The name of the type inside all wrappers.
    var name: String {
        switch self {
        case .named(let named): named.name.value
        case .list(let type, _), .nonNull(let type, _): type.name
        }
    }
}
