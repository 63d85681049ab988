/// Finds defaults of input fields that contain themselves: `input A { b: B = {} } input B { a: A = {} }`.
/// Spec: 3.10 Input Objects, InputFieldDefaultValueHasCycle
struct DefaultValueCycles {
    private let schema: Schema
    private var visited: Set<InputFieldCoordinate> = []
    private var path: [InputFieldCoordinate] = []
    private(set) var cycles: [[InputFieldCoordinate]] = []

    init(_ schema: Schema) {
        self.schema = schema
        for case .inputObject(let type) in schema.types { enter(type, given: nil) }
    }

    /// Follows a value of `type`: the fields given, and the defaults of the others.
    private mutating func enter(_ type: InputObjectType, given: [ObjectField]?) {
        for field in type.fields {
            if let node = given?.first(where: { $0.name.value == field.name }) {
                enter(node.value, field.type)
            } else if let literal = field.defaultLiteral {
                enterDefault(literal, of: field, InputFieldCoordinate(type: type.name, field: field.name))
            }
        }
    }

    private mutating func enterDefault(_ literal: Value, of field: InputValueType, _ coordinate: InputFieldCoordinate) {
        if let start = path.firstIndex(of: coordinate) {
            cycles.append(Array(path[start...]))
            return
        }
        guard visited.insert(coordinate).inserted else { return }
        path.append(coordinate)
        enter(literal, field.type)
        path.removeLast()
    }

    private mutating func enter(_ value: Value, _ type: TypeReference) {
        if case .list(let items) = value.kind {
            guard case .list(let item) = type.nullable else { return }
            for value in items { enter(value, item) }
            return
        }
        guard case .object(let fields) = value.kind, case .inputObject(let inputObject) = schema[type.namedType] else {
            return
        }
        enter(inputObject, given: fields)
    }
}
