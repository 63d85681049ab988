import GraphQL
import Testing

@testable import App

@Suite struct SchemaDescriptionTests {
    /// Each type, field, argument, input field and enum value says what it is.
    @Test func everyElementIsDescribed() throws {
        let schema = try OperationRunner.schema.get().schema
        let types = schema.types.filter { !$0.name.hasPrefix("__") && !Self.builtInScalars.contains($0.name) }
        let silent = types.flatMap { type in
            ([(type.name, type.description)] + Self.elements(of: type)).filter { $0.1?.isEmpty != false }.map(\.0)
        }
        #expect(silent == [])
        #expect(types.count > 100)
    }

    /// Spec: 3.5 Scalars. The specification describes them.
    private static let builtInScalars = ["Int", "Float", "String", "Boolean", "ID"]

    /// Spec: Schema Coordinates
    private static func elements(of type: NamedType) -> [(String, String?)] {
        switch type {
        case .object, .interface:
            type.fields.flatMap { field in
                let coordinate = "\(type.name).\(field.name)"
                return [(coordinate, field.description)]
                    + field.arguments.map { ("\(coordinate)(\($0.name):)", $0.description) }
            }
        case .inputObject(let type): type.fields.map { ("\(type.name).\($0.name)", $0.description) }
        case .enumeration(let type): type.values.map { ("\(type.name).\($0.name)", $0.description) }
        case .scalar, .union: []
        }
    }
}
