/// A response, encoded.
/// Spec: 7.1 Response Format
public struct Response: Sendable {
    /// UTF-8 JSON: `{"data":…,"errors":[…],"extensions":{…}}`, without what there is none of.
    public let body: [UInt8]
    /// Whether `data` is there and not null.
    public let hasData: Bool
    /// As in the body, at most 50.
    public let errors: [GraphQLError]

    /// A request that was not executed: errors, and no `data`.
    public init(_ error: RequestError, extensions: InputObject = InputObject()) {
        var json = JSONWriter(capacity: 256)
        json.append("{\"errors\":")
        json.write(error.errors)
        json.writeExtensions(extensions)
        json.append(UInt8(ascii: "}"))
        body = json.bytes
        hasData = false
        errors = error.errors
    }

    init(_ execution: Execution, _ root: ObjectSet, extensions: InputObject) {
        var json = JSONWriter(capacity: 1024)
        json.append("{\"data\":")
        var writer = ResponseWriter(execution, into: json)
        hasData = writer.writeData(root)
        json = writer.json
        errors = writer.errors
        if !errors.isEmpty {
            json.append(",\"errors\":")
            json.write(errors)
        }
        json.writeExtensions(extensions)
        json.append(UInt8(ascii: "}"))
        body = json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func writeExtensions(_ extensions: InputObject) {
        if extensions.fields.isEmpty { return }
        append(",\"extensions\":")
        write(extensions)
    }
}
