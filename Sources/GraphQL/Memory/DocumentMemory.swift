extension Document {
    /// The bytes that the tree and its text hold on the heap.
    public var heapSize: Int {
        HeapSize.of(source.bytes) + HeapSize.of(definitions, \.heapSize)
    }
}

extension Definition {
    /// Type system definitions are no part of a document that is executed.
    fileprivate var heapSize: Int {
        switch self {
        case .operation(let operation):
            HeapSize.of(operation.name?.value ?? "") + HeapSize.of(operation.description?.value ?? "")
                + HeapSize.of(operation.variableDefinitions, \.heapSize) + HeapSize.of(operation.directives, \.heapSize)
                + operation.selectionSet.heapSize
        case .fragment(let fragment):
            HeapSize.of(fragment.name.value) + HeapSize.of(fragment.description?.value ?? "")
                + HeapSize.of(fragment.typeCondition.name.value)
                + HeapSize.of(fragment.variableDefinitions, \.heapSize) + HeapSize.of(fragment.directives, \.heapSize)
                + fragment.selectionSet.heapSize
        case .schema, .schemaExtension, .type, .typeExtension, .directive: 0
        }
    }
}

extension VariableDefinition {
    fileprivate var heapSize: Int {
        HeapSize.of(name.value) + HeapSize.of(description?.value ?? "") + type.heapSize + (defaultValue?.heapSize ?? 0)
            + HeapSize.of(directives, \.heapSize)
    }
}

extension TypeNode {
    fileprivate var heapSize: Int {
        switch self {
        case .named(let named): HeapSize.block + MemoryLayout<NamedTypeNode>.stride + HeapSize.of(named.name.value)
        case .list(let type, _), .nonNull(let type, _):
            HeapSize.block + MemoryLayout<(TypeNode, Location)>.stride + type.heapSize
        }
    }
}

extension SelectionSet {
    fileprivate var heapSize: Int { HeapSize.of(selections, \.heapSize) }
}

extension Selection {
    /// Beside the element's own place in the array.
    fileprivate var heapSize: Int {
        switch self {
        case .field(let field):
            HeapSize.of(field.alias?.value ?? "") + HeapSize.of(field.name.value)
                + HeapSize.of(field.arguments, \.heapSize) + HeapSize.of(field.directives, \.heapSize)
                + (field.selectionSet?.heapSize ?? 0)
        case .fragmentSpread(let spread):
            HeapSize.of(spread.name.value) + HeapSize.of(spread.directives, \.heapSize)
        case .inlineFragment(let fragment):
            HeapSize.of(fragment.typeCondition?.name.value ?? "") + HeapSize.of(fragment.directives, \.heapSize)
                + fragment.selectionSet.heapSize
        }
    }
}

extension Directive {
    fileprivate var heapSize: Int { HeapSize.of(name.value) + HeapSize.of(arguments, \.heapSize) }
}

extension Argument {
    fileprivate var heapSize: Int { HeapSize.of(name.value) + value.heapSize }
}

extension Value {
    fileprivate var heapSize: Int {
        switch kind {
        case .variable(let text), .int(let text), .float(let text), .enumeration(let text): HeapSize.of(text)
        case .string(let string): HeapSize.of(string.value)
        case .boolean, .null: 0
        case .list(let items): HeapSize.of(items, \.heapSize)
        case .object(let fields): HeapSize.of(fields) { HeapSize.of($0.name.value) + $0.value.heapSize }
        }
    }
}
