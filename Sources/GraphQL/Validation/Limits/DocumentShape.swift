/// Measures how deep the selections of a document's operations nest, counts their aliases and root fields, and finds
/// the greatest number of directives at one location. Each fragment is analysed once.
struct DocumentShape {
    private struct Figures {
        var depth = 0
        var introspection = IntrospectionDepth.Depth()
    }

    private let index: DocumentIndex
    private let schema: Schema
    /// The depths below each selection set, by its index.
    private var figures: [Figures]
    /// By selection set, the number of its own fields with an alias.
    private var aliases: [Int]

    init(_ index: DocumentIndex, _ schema: Schema) {
        self.index = index
        self.schema = schema
        aliases = []
        figures = [Figures](repeating: Figures(), count: index.selectionSets.count)
        let hasIntrospection = index.fields.contains { $0.definition.map(schema.isIntrospectionRoot) ?? false }
        let introspection = hasIntrospection ? IntrospectionDepth(index).depths : []
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
                    let position = Int(selection.position)
                    if index.fields[position].hasAlias { aliases[set] += 1 }
                    if hasIntrospection, let field = index.fields[position].definition,
                        schema.isIntrospectionRoot(field)
                    {
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
    /// True for `__schema` and `__type`; the fields below them have limits of their own.
    func isIntrospectionRoot(_ field: Unmanaged<FieldType>) -> Bool {
        func isField(_ root: FieldType?) -> Bool {
            root.map { Unmanaged.passUnretained($0).toOpaque() == field.toOpaque() } ?? false
        }
        return isField(schemaField) || isField(typeField)
    }
}
