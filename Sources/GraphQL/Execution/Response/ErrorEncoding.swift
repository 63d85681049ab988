extension JSONWriter {
    /// Spec: 7.1.6 Errors
    public mutating func write(_ errors: [GraphQLError]) {
        append(UInt8(ascii: "["))
        for (index, error) in errors.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            write(error)
        }
        append(UInt8(ascii: "]"))
    }

    /// Spec: 7.1.6 Errors, "Error Result Format"
    public mutating func write(_ error: GraphQLError) {
        append("{\"message\":")
        write(error.message)
        if !error.locations.isEmpty {
            append(",\"locations\":")
            write(error.locations)
        }
        if !error.path.isEmpty {
            append(",\"path\":")
            write(error.path)
        }
        if !error.extensions.fields.isEmpty {
            append(",\"extensions\":")
            write(error.extensions)
        }
        append(UInt8(ascii: "}"))
    }

    private mutating func write(_ locations: [SourceLocation]) {
        append(UInt8(ascii: "["))
        for (index, location) in locations.enumerated() {
            append(index == 0 ? "{\"line\":" : ",{\"line\":")
            write(location.line)
            append(",\"column\":")
            write(location.column)
            append(UInt8(ascii: "}"))
        }
        append(UInt8(ascii: "]"))
    }

    private mutating func write(_ path: [PathElement]) {
        append(UInt8(ascii: "["))
        for (index, element) in path.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            switch element {
            case .key(let key): write(key)
            case .index(let index): write(index)
            }
        }
        append(UInt8(ascii: "]"))
    }
}
