extension Plan {
    /// The bytes that the plan holds on the heap, apart from the schema's and the document's, which it shares.
    public var heapSize: Int { operation.heapSize }
}

extension PreparedOperation {
    /// The bytes that the operation holds on the heap apart from its document's.
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
    /// What the instance takes, its context for the resolver, and its entry in the graph of selections: figures of the
    /// allocator, as a closure's context cannot be asked for its size.
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
