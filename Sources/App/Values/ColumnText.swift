import GraphQL
import Postgres

/// Writes a column's bytes from its result's memory into the response, without a String in between. Enum columns hold the
/// names of the schema's enum values.
extension Text: LeafValue {
    @inlinable
    public func write(to json: inout JSONWriter) { withBytes { json.write(utf8: $0) } }

    public static func canRepresent(_ type: NamedType) -> Bool {
        switch type {
        case .enumeration: true
        case .scalar(let scalar): scalar.name == "String"
        default: false
        }
    }
}
