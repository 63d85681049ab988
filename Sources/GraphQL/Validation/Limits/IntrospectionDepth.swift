/// The depth to which introspection's lists and its `ofType` nest below each selection set, fragments included.
struct IntrospectionDepth {
    struct Depth {
        /// The depth of nested `fields`, `inputFields`, `interfaces` and `possibleTypes`.
        var lists = 0
        /// The depth of nested `ofType`.
        var wrappedTypes = 0
    }

    /// By selection set.
    private(set) var depths: [Depth]

    init(_ index: DocumentIndex) {
        var depths = [Depth](repeating: Depth(), count: index.selectionSets.count)
        index.forEachSelectionSetBottomUp { set in
            var deepest = Depth()
            for selection in index[selectionsOf: Int32(set)] {
                let inner =
                    selection.kind == .spread
                    ? index.selectionSet(ofSpread: selection.position) : Int(selection.selectionSet)
                var depth = inner >= 0 ? depths[inner] : Depth()
                if selection.kind == .field {
                    switch index.names.name(index.fields[Int(selection.position)].name) {
                    case "fields", "inputFields", "interfaces", "possibleTypes": depth.lists += 1
                    case "ofType": depth.wrappedTypes += 1
                    default: break
                    }
                }
                deepest.lists = max(deepest.lists, depth.lists)
                deepest.wrappedTypes = max(deepest.wrappedTypes, depth.wrappedTypes)
            }
            depths[set] = deepest
        }
        self.depths = depths
    }
}
