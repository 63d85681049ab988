/// The depths and numbers of a document's selections. Each fragment is analysed once.
struct DocumentShape {
    private struct Figures {
        var depth = 0
        var introspection = IntrospectionDepth.Depth()
    }

    private let index: DocumentIndex
    private let schema: Schema
    /// By selection set.
    private var figures: [Figures]
    /// By selection set, the fields with an alias, without those of fragments.
    private var aliases: [Int]

    init(_ index: DocumentIndex, _ schema: Schema) {
        self.index = index
        self.schema = schema
        aliases = []
        figures = [Figures](repeating: Figures(), count: index.selectionSets.count)
        let introspection = IntrospectionDepth(index).depths
        var figures = figures
        var aliases = [Int](repeating: 0, count: index.selectionSets.count)
        index.forEachSelectionSetBottomUp { set in
            var result = Figures()
            for selection in index[selectionsOf: Int32(set)] {
                var inner = Figures()
                switch selection.kind {
                case .inlineFragment: inner = figures[Int(selection.selectionSet)]
                case .spread:
                    let fragment = index.selectionSet(ofSpread: selection.position)
                    if fragment >= 0 { inner = figures[fragment] }
                case .field:
                    let field = index.fields[Int(selection.position)]
                    if field.hasAlias { aliases[set] += 1 }
                    if schema.isIntrospectionRoot(field) {
                        inner.introspection =
                            selection.selectionSet >= 0
                            ? introspection[Int(selection.selectionSet)] : IntrospectionDepth.Depth()
                    } else if selection.selectionSet >= 0 {
                        inner = figures[Int(selection.selectionSet)]
                    }
                    inner.depth += 1
                }
                result.depth = max(result.depth, inner.depth)
                result.introspection.lists = max(result.introspection.lists, inner.introspection.lists)
                result.introspection.wrappedTypes = max(
                    result.introspection.wrappedTypes, inner.introspection.wrappedTypes)
            }
            figures[set] = result
        }
        self.figures = figures
        self.aliases = aliases
    }

    func metrics(of operation: OperationRecord, fragments: [Int]) -> QueryMetrics {
        let scopes = [operation.scope] + fragments.map { index.fragments[$0].scope }
        let figures = figures[Int(operation.scope.selectionSet)]
        var metrics = QueryMetrics()
        metrics.depth = figures.depth
        metrics.introspectionLists = figures.introspection.lists
        metrics.introspectionWrappedTypes = figures.introspection.wrappedTypes
        metrics.directives = scopes.map(\.directives).max() ?? 0
        metrics.aliases = scopes.reduce(0) { $0 + aliases[$1.selectionSets].reduce(0, +) }
        metrics.rootFields = rootFields(of: operation)
        return metrics
    }

    private func rootFields(of operation: OperationRecord) -> Int {
        var names: Set<Int32> = []
        var seen: Set<Int> = []
        var pending = [Int(operation.scope.selectionSet)]
        while let set = pending.popLast() {
            guard set >= 0, seen.insert(set).inserted else { continue }
            for selection in index[selectionsOf: Int32(set)] {
                switch selection.kind {
                case .field: names.insert(selection.name)
                case .inlineFragment: pending.append(Int(selection.selectionSet))
                case .spread: pending.append(index.selectionSet(ofSpread: selection.position))
                }
            }
        }
        return names.count
    }
}

extension Schema {
    /// Whether the field is `__schema` or `__type`, below which introspection has bounds of its own.
    func isIntrospectionRoot(_ field: FieldRecord) -> Bool {
        guard let definition = field.definition?.toOpaque() else { return false }
        let roots = [schemaField, typeField].compactMap { $0 }
        return roots.contains { Unmanaged.passUnretained($0).toOpaque() == definition }
    }
}
