import GraphQL
import NIOCore

/// The parameters of a GraphQL request.
/// GraphQL over HTTP: 5.1 Request Parameters
public struct GraphQLRequest: Sendable, Equatable {
    public var query: String?
    public var operationName: String?
    public var variables = InputObject()
    public var extensions = InputObject()
    /// The name of a trusted document, in place of its text.
    public var documentID: String?

    public init(query: String? = nil, operationName: String? = nil, variables: InputObject = InputObject()) {
        self.query = query
        self.operationName = operationName
        self.variables = variables
    }

    /// Reads the parameters of a JSON body, or of a message of a subscription protocol.
    public init(json value: InputValue) throws(MalformedRequest) {
        guard case .object(let members) = value else {
            if case .list = value { throw MalformedRequest("Batches of requests are not taken.") }
            throw MalformedRequest("The body is not a JSON object.")
        }
        for (name, value) in members.fields {
            switch (name, value) {
            case ("query", .string(let text)): query = text
            case ("operationName", .string(let text)): operationName = text
            case ("documentId", .string(let text)): documentID = text
            case ("variables", .object(let object)): variables = object
            case ("extensions", .object(let object)): extensions = object
            case ("query", .null), ("operationName", .null), ("documentId", .null), ("variables", .null),
                ("extensions", .null):
                break
            case ("query", _), ("operationName", _), ("documentId", _):
                throw MalformedRequest("\"\(name)\" is not a string.")
            case ("variables", _), ("extensions", _): throw MalformedRequest("\"\(name)\" is not an object.")
            default: break
            }
        }
        leaveOutEmptyQuery()
    }

    /// Reads the parameters of a POST's body.
    init(body: ByteBuffer, maxDepth: Int) throws(MalformedRequest) {
        if body.readableBytes == 0 { throw MalformedRequest("The body is empty.") }
        try self.init(json: Self.json(body.readableBytesView, maxDepth: maxDepth, name: "The body"))
    }

    /// Reads the parameters of a GET's query, where `variables` and `extensions` are JSON texts.
    init(query text: Substring, maxDepth: Int) throws(MalformedRequest) {
        let fields: QueryString
        do { fields = try QueryString(text) } catch {
            throw MalformedRequest("The address's query is not encoded as UTF-8 with percent signs.")
        }
        query = fields["query"]
        operationName = fields["operationName"].flatMap { $0.isEmpty ? nil : $0 }
        documentID = fields["documentId"]
        variables = try Self.object(fields["variables"], maxDepth: maxDepth, name: "variables")
        extensions = try Self.object(fields["extensions"], maxDepth: maxDepth, name: "extensions")
        leaveOutEmptyQuery()
    }

    /// Clients that name a document in another way may send an empty text with it, as urql's do over WebSocket.
    private mutating func leaveOutEmptyQuery() {
        if query == "", documentID != nil || extensions["persistedQuery"] != nil { query = nil }
    }

    private static func object(
        _ text: String?, maxDepth: Int, name: String
    ) throws(MalformedRequest) -> InputObject {
        guard let text, !text.isEmpty else { return InputObject() }
        switch try json(Array(text.utf8), maxDepth: maxDepth, name: "\"\(name)\"") {
        case .object(let object): return object
        case .null: return InputObject()
        default: throw MalformedRequest("\"\(name)\" is not an object.")
        }
    }

    private static func json(
        _ bytes: some ContiguousUTF8, maxDepth: Int, name: String
    ) throws(MalformedRequest) -> InputValue {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(JSONError) in try parseJSON(bytes, maxDepth: maxDepth) }
        }
        do { return try result.get() } catch { throw MalformedRequest("\(name) is not JSON: \(error)") }
    }
}

extension GraphQLRequest {
    /// Whether the client asks for the operation's cost in the answer's `extensions`: `{"extensions": {"cost": true}}`.
    var asksForCost: Bool { extensions["cost"] == .boolean(true) }

    /// Whether the client asks for the steps of the operation's execution: `{"extensions": {"plan": true}}`.
    var asksForPlan: Bool { extensions["plan"] == .boolean(true) }

    /// Whether the operation is parsed, validated, measured and its variables coerced, but not executed:
    /// `{"extensions": {"check": true}}`.
    var asksOnlyToCheck: Bool { extensions["check"] == .boolean(true) }
}

/// The error of a request that is no well-formed GraphQL request. The answer has the status 400, whatever the client
/// accepts.
public struct MalformedRequest: Error, Sendable, Equatable {
    public let message: String

    init(_ message: String) { self.message = message }
}

private protocol ContiguousUTF8 {
    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}

extension ByteBufferView: ContiguousUTF8 {}
extension [UInt8]: ContiguousUTF8 {}
