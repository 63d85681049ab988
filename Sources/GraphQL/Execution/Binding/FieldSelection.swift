/// The selection below a field, on all its possible types together, with fragments resolved and fields merged. Fields
/// go by their names, not by their aliases.
public struct FieldSelection: Sendable {
    let graph: SelectionGraph
    /// Places in the graph, one a possible type of the field.
    let places: [Int]

    /// The names of the fields directly below, `__typename` included.
    public var names: Set<String> {
        places.reduce(into: []) { names, place in names.formUnion(graph.places[place].keys) }
    }

    /// Whether nothing is selected below the field, as below a leaf.
    public var isEmpty: Bool { places.isEmpty }

    /// Whether the field at the end of a path of field names is selected on any possible type:
    /// `selection.contains("nodes", "author")`.
    public func contains(_ path: String...) -> Bool {
        var selection = self
        for name in path {
            guard let next = selection[name] else { return false }
            selection = next
        }
        return true
    }

    /// The selection below the field `name`; nil where the field is not selected.
    public subscript(name: String) -> FieldSelection? {
        var isSelected = false
        var below: [Int] = []
        for place in places {
            guard let children = graph.places[place][name] else { continue }
            isSelected = true
            for child in children where !below.contains(child) { below.append(child) }
        }
        return isSelected ? FieldSelection(graph: graph, places: below) : nil
    }
}

/// For each selection of a plan, the selections below each of its fields.
final class SelectionGraph: Sendable {
    let places: [[String: [Int]]]

    init(places: [[String: [Int]]]) { self.places = places }
}
