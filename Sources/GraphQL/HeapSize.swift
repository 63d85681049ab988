/// Estimates of the heap memory that values hold, in bytes, with the allocator's overhead, for caches that are bounded
/// by memory. They are rather too high than too low.
enum HeapSize {
    /// An object's header and the allocator's.
    static let block = 32

    static func of<Element>(_ array: [Element]) -> Int {
        array.capacity == 0 ? 0 : block + array.capacity * MemoryLayout<Element>.stride + 16
    }

    static func of<Element>(_ array: [Element], _ element: (Element) -> Int) -> Int {
        array.reduce(of(array)) { $0 + element($1) }
    }

    /// A hash table is filled to three quarters.
    static func of<Key, Value>(_ dictionary: [Key: Value]) -> Int {
        let slots = dictionary.capacity * 4 / 3 + 1
        return dictionary.isEmpty
            ? 0 : block + 32 + slots * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride)
    }

    /// Strings of up to 15 bytes have no block on the heap.
    static func of(_ text: String) -> Int {
        let count = text.utf8.count
        return count <= 15 ? 0 : block + count + 16
    }
}

// MARK: - Documents

extension Document {
    /// The heap memory that the tree and its text hold, in bytes: an estimate.
    public var heapSize: Int {
        HeapSize.of(source.bytes) + HeapSize.of(definitions, \.heapSize)
    }
}

extension Definition {
    /// Type system definitions count as 0: a document that is executed has none.
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
    /// Without the selection's own place in the array.
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

// MARK: - Plans

extension Plan {
    /// The heap memory that the plan holds, in bytes, without that of the schema and the document: an estimate.
    public var heapSize: Int { operation.heapSize }
}

extension PreparedOperation {
    /// The heap memory that the operation holds, in bytes, without that of the document: an estimate.
    public var heapSize: Int { HeapSize.of(fragments) + HeapSize.of(conditionVariables) { HeapSize.of($0.name) } }
}

extension OperationPlan {
    fileprivate var heapSize: Int {
        HeapSize.of(prefixes) + HeapSize.of(fields) { $0.heapSize } + HeapSize.of(deferUsages)
            + HeapSize.of(selections) { selection in
                HeapSize.block + 64 + HeapSize.of(selection.fields) + HeapSize.of(selection.steps)
                    + HeapSize.of(selection.completed) + HeapSize.of(selection.deferral?.groups ?? [])
            }
    }
}

extension PlannedField {
    /// The sizes of an instance, of its resolver's closure and of its entry in the graph of selections. They were
    /// measured, since a closure's context does not tell its size.
    private static var instance: Int { 288 }
    private static var resolution: Int { 128 }
    private static var graphEntry: Int { 160 }

    fileprivate var heapSize: Int {
        var size = Self.instance + HeapSize.of(responseName) + HeapSize.of(locations) + HeapSize.block + 32
        if resolution.waits { size += Self.resolution }
        size += Self.graphEntry
        if case .constant(let arguments) = arguments { size += arguments.heapSize }
        return size + children.heapSize + (stream.map { $0.children.heapSize + HeapSize.of($0.label ?? "") } ?? 0)
    }
}

extension PlannedField.Children {
    fileprivate var heapSize: Int { if case .abstract(let members) = self { HeapSize.of(members) } else { 0 } }
}

extension InputObject {
    var heapSize: Int { HeapSize.of(fields) { HeapSize.of($0.name) + $0.value.heapSize } }
}

extension InputValue {
    var heapSize: Int {
        switch self {
        case .null, .int, .float, .boolean, .upload: 0
        case .string(let text), .enumeration(let text): HeapSize.of(text)
        case .secret(let secret): HeapSize.of(secret?.text ?? "")
        case .list(let items): HeapSize.of(items, \.heapSize)
        case .object(let object): object.heapSize
        }
    }
}
