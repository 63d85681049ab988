/// The selection below a field, on all its possible types together, with fragments resolved and fields merged. Fields
/// are found by their names, not by their aliases.
public struct FieldSelection: Sendable {
    let graph: SelectionGraph
    /// Positions in `SelectionGraph.places`, one for each possible type of the field.
    let places: [Int]

    /// The names of the fields directly below, `__typename` included.
    public var names: Set<String> {
        places.reduce(into: []) { names, place in names.formUnion(graph.places[place].keys) }
    }

    /// True where nothing is selected below the field, as below a leaf.
    public var isEmpty: Bool { places.isEmpty }

    /// True where the field at the end of a path of field names is selected on any possible type:
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

extension FieldSelection {
    /// True where everybody who sees the field's value gets the same response for this selection.
    public var isShared: Bool { places.map { graph.sharing[$0] }.isShared }
}

/// For each selection of a plan, the selections below each of its fields.
final class SelectionGraph: Sendable {
    let places: [[String: [Int]]]
    let sharing: [SelectionSharing]

    init(places: [[String: [Int]]], sharing: [SelectionSharing]) {
        self.places = places
        self.sharing = sharing
    }
}

/// The sharing of a selection of an object's fields: `shared` if everybody who sees the object gets the same response.
enum SelectionSharing: Sendable {
    case shared
    /// A selected field is personal.
    case personal
    /// The object's type does not conform to `SharedObject`.
    case never
}

extension [SelectionSharing] {
    /// True where a field is shared, given the sharing of its selection on each possible type. The array of a leaf is
    /// empty, and a leaf is shared. A `.never` beside a `.shared` does not count: a `SharedEvent` has an audience only
    /// if it contains no object of such a type.
    var isShared: Bool {
        isEmpty || contains { $0 == .shared } && !contains { $0 == .personal }
    }
}
