import GraphQL

/// A selection of every field that can be reached from a type, written from the schema. Each field has an alias with
/// its type's name, so that fields of different types never conflict.
struct WholeSelection {
    /// An object that refers to others is written out at so many places; elsewhere its scalars are all.
    private static let maximumPlaces = 2

    private final class Place {
        let type: TypeIndex
        var fields: [(text: String, below: Place?)] = []
        var members: [Place] = []

        init(_ type: TypeIndex) { self.type = type }
    }

    let schema: Schema
    let includes: (String) -> Bool
    /// The fields written so far, as schema coordinates.
    private(set) var coordinates: Set<String> = []
    /// Required arguments that nothing is known to give.
    private(set) var missingArguments: [String] = []

    /// - Parameter includes: whether to write the field of a schema coordinate.
    init(_ schema: Schema, _ includes: @escaping (String) -> Bool = { _ in true }) {
        self.schema = schema
        self.includes = includes
    }

    /// Breadth-first: what is written out is near the root.
    mutating func text(of type: TypeIndex) -> String {
        let root = Place(type)
        var waiting = [root]
        var next = 0
        var placeCounts: [String: Int] = [:]
        while next < waiting.count {
            let place = waiting[next]
            next += 1
            let type = schema[place.type]
            if type.isAbstract {
                place.members = schema.possibleTypes[place.type.rawValue].map(Place.init)
                waiting += place.members
                continue
            }
            placeCounts[type.name, default: 0] += 1
            let isWhole = type.field(named: "id") == nil || placeCounts[type.name, default: 0] <= Self.maximumPlaces
            for field in type.fields where includes("\(type.name).\(field.name)") {
                let isLeaf = schema[field.namedType].isLeaf
                guard isLeaf || isWhole else { continue }
                place.fields.append((text(of: field, of: type), isLeaf ? nil : Place(field.namedType)))
            }
            waiting += place.fields.compactMap(\.below)
        }
        return written(root)
    }

    /// The field without what is below it.
    mutating func text(of field: FieldType, of type: NamedType) -> String {
        let coordinate = "\(type.name).\(field.name)"
        coordinates.insert(coordinate)
        missingArguments += field.arguments.filter(\.isRequired).map { "\(coordinate)(\($0.name):)" }
        return "\(Self.alias(coordinate)): \(field.name)"
    }

    private func written(_ place: Place) -> String {
        let fields = place.fields.map { text, below in below.map { "\(text) \(written($0))" } ?? text }
        let members = place.members.map { "... on \(schema[$0.type].name) \(written($0))" }
        return "{ __typename \((fields + members).joined(separator: " ")) }"
    }

    static func alias(_ coordinate: String) -> String { coordinate.split(separator: ".").joined(separator: "_") }

    /// The fields of all types that a field of the type leads to, as schema coordinates.
    static func reachable(from root: TypeIndex, of schema: Schema) -> Set<String> {
        var waiting = [root]
        var coordinates: Set<String> = []
        var seen: Set<TypeIndex> = []
        while let index = waiting.popLast() {
            guard seen.insert(index).inserted else { continue }
            if schema[index].isAbstract {
                waiting += schema.possibleTypes[index.rawValue]
            } else {
                for field in schema[index].fields {
                    coordinates.insert("\(schema[index].name).\(field.name)")
                    waiting.append(field.namedType)
                }
            }
        }
        return coordinates
    }
}
