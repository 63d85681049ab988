import GraphQL

/// The bytes of a response that has errors and no data.
/// Spec: 7.1.6 Errors
func errorResponse(_ errors: [GraphQLError]) -> [UInt8] {
    var json = JSONWriter(capacity: 256)
    json.append("{\"errors\":[")
    for (index, error) in errors.enumerated() {
        if index > 0 { json.append(",") }
        json.write(error)
    }
    json.append("]}")
    return json.bytes
}

extension JSONWriter {
    fileprivate mutating func write(_ error: GraphQLError) {
        append("{\"message\":")
        write(error.message)
        if !error.locations.isEmpty {
            append(",\"locations\":[")
            for (index, location) in error.locations.enumerated() {
                append(index > 0 ? ",{\"line\":" : "{\"line\":")
                write(location.line)
                append(",\"column\":")
                write(location.column)
                append("}")
            }
            append("]")
        }
        if !error.extensions.fields.isEmpty {
            append(",\"extensions\":")
            write(.object(error.extensions))
        }
        append("}")
    }
}
