/// A response, encoded as JSON.
/// Spec: 7.1 Response Format
public struct Response: Sendable {
    /// UTF-8 JSON: `{"data":…,"errors":[…],"extensions":{…}}`, where empty members are left out.
    public let body: [UInt8]
    /// True where `data` is present and not null, and for each response after the first of an incremental delivery.
    public let hasData: Bool
    /// The errors in the body: at most 50 of an execution, and at most 50 of each part that is delivered later.
    public let errors: [GraphQLError]
    /// True for the response to a request error, which has no entry `data`, not even one that is null.
    public let isRequestError: Bool
    /// The cursor from which a client that has received this event resumes; nil for any other response.
    public internal(set) var position: String?
    /// Called once the client has proven that it received this event. nil where the source of the events does not ask
    /// for the proof, and for any other response.
    public internal(set) var onReceipt: (@Sendable () -> Void)?

    /// The response to a request that was not executed: errors without `data`.
    ///
    /// - Parameters:
    ///   - error: the errors.
    ///   - extensions: the response's `extensions`.
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

    /// The response to an operation that was checked and not executed: `data` is null, and there are no errors.
    ///
    /// - Parameter extensions: the response's `extensions`.
    public init(ofCheck extensions: InputObject) {
        var json = JSONWriter(capacity: 256)
        json.append("{\"data\":null")
        json.writeExtensions(extensions)
        json.append(UInt8(ascii: "}"))
        body = json.bytes
        hasData = false
        errors = []
        isRequestError = false
    }

    init(body: [UInt8], hasData: Bool, errors: [GraphQLError]) {
        self.body = body
        self.hasData = hasData
        self.errors = errors
        isRequestError = false
    }

    /// - Parameter announce: called if fragments or lists are delivered later; writes the members that announce them.
    init(
        _ execution: Execution, _ root: ObjectSet, extensions: InputObject,
        announce: (([Delivery], inout JSONWriter) -> Void)? = nil
    ) {
        // The array becomes a pointer that is valid for the duration of the call.
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
