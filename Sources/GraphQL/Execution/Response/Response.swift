/// A response, encoded.
/// Spec: 7.1 Response Format
public struct Response: Sendable {
    /// UTF-8 JSON: `{"data":…,"errors":[…],"extensions":{…}}`, without what there is none of.
    public let body: [UInt8]
    /// Whether `data` is there and not null.
    public let hasData: Bool
    /// As in the body, at most 50.
    public let errors: [GraphQLError]
    /// Whether there is no `data` entry, not even one that is null.
    public let isRequestError: Bool
    /// Of an event: where a client that has got it goes on.
    public internal(set) var position: String?
    /// Of an event: called once the client has proven that it has it; nil where nobody waits for that.
    public internal(set) var onReceipt: (@Sendable () -> Void)?

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
        isRequestError = true
    }

    init(body: [UInt8], hasData: Bool, errors: [GraphQLError]) {
        self.body = body
        self.hasData = hasData
        self.errors = errors
        isRequestError = false
    }

    /// - Parameter announce: given what is delivered later, if anything, writes what the client is told of it.
    init(
        _ execution: Execution, _ root: ObjectSet, extensions: InputObject,
        announce: (([Delivery], inout JSONWriter) -> Void)? = nil
    ) {
        // Implicitly bridged for the duration of the call.
        self = Self.written(execution, root, extensions, execution.plan.prefixes, announce)
    }

    private static func written(
        _ execution: Execution, _ root: ObjectSet, _ extensions: InputObject, _ prefixes: UnsafeRawPointer,
        _ announce: (([Delivery], inout JSONWriter) -> Void)?
    ) -> Response {
        var writer = ResponseWriter(execution, prefixes)
        return writer.writeResponse(root, extensions: extensions, announce: announce)
    }
}

extension JSONWriter {
    mutating func writeExtensions(_ extensions: InputObject) {
        if extensions.fields.isEmpty { return }
        append(",\"extensions\":")
        write(extensions)
    }
}
