/// Spec: 3.10 Input Objects, "Type Validation"
extension SchemaValidation {
    mutating func checkFields(of type: InputObjectType) {
        if type.fields.isEmpty {
            report(
                "Input Object type \(type.name) must define one or more fields.",
                at: definitions?.locations(ofType: type.name) ?? [])
        }
        for field in type.fields {
            let definition = definitions?.inputField(field.name, of: type.name)
            let coordinate = "\(type.name).\(field.name)"
            check(
                field, at: coordinate, kind: "input field", definition, typeLocation: definition?.type.location)
            guard type.isOneOf else { continue }
            if field.type.isNonNull {
                report("OneOf input field \(coordinate) must be nullable.", at: [definition?.type.location])
            }
            if field.defaultLiteral != nil {
                report("OneOf input field \(coordinate) cannot have a default value.", at: [definition?.location])
            }
        }
    }

    /// Reports input objects that contain themselves, through non-null fields or through defaults.
    /// Spec: 3.10 Input Objects, "Circular References"
    mutating func checkInputObjectCycles() {
        for cycle in NonNullInputCycles(schema).cycles {
            report(
                "Cannot reference Input Object \"\(cycle.type)\" within itself through a series of non-null fields: "
                    + "\"\(cycle.path.map(\.field).joined(separator: "."))\".",
                at: cycle.path.map { definitions?.inputField($0.field, of: $0.type)?.location })
        }
        for cycle in DefaultValueCycles(schema).cycles {
            let via = cycle.dropFirst().map { "\($0.type).\($0.field)" }.joined(separator: ", ")
            report(
                "Invalid circular reference. The default value of Input Object field "
                    + "\(cycle[0].type).\(cycle[0].field) references itself"
                    + (via.isEmpty ? "." : " via the default values of: \(via)."),
                at: cycle.map { definitions?.inputField($0.field, of: $0.type)?.defaultValue?.location })
        }
    }
}

/// A field of an input object.
struct InputFieldCoordinate: Hashable {
    let type: String
    let field: String
}

/// Finds input objects that contain themselves through non-null fields, so that they have no finite value.
struct NonNullInputCycles {
    private let schema: Schema
    private var visited: Set<String> = []
    private var path: [InputFieldCoordinate] = []
    private var positions: [String: Int] = [:]
    private(set) var cycles: [(type: String, path: [InputFieldCoordinate])] = []

    init(_ schema: Schema) {
        self.schema = schema
        for case .inputObject(let type) in schema.types { enter(type) }
    }

    private mutating func enter(_ type: InputObjectType) {
        guard visited.insert(type.name).inserted else { return }
        positions[type.name] = path.count
        for field in type.fields {
            guard case .nonNull(.named(let index)) = field.type, case .inputObject(let next) = schema[index] else {
                continue
            }
            path.append(InputFieldCoordinate(type: type.name, field: field.name))
            if let start = positions[next.name] {
                cycles.append((next.name, Array(path[start...])))
            } else {
                enter(next)
            }
            path.removeLast()
        }
        positions[type.name] = nil
    }
}

extension SchemaDefinitions {
    func inputField(_ name: String, of type: String) -> InputValueDefinition? {
        self.type(named: type)?.inputFields.first { $0.name.value == name }
    }
}
