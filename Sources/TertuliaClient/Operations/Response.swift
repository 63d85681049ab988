import GraphQL

/// A response of the server, before its data are decoded.
/// Spec: 7.1 Response Format
public struct Response: Sendable, Equatable {
    /// nil where the request failed as a whole, or where an error at a non-null field left no data.
    public var data: JSONObject?
    public var errors: [ResponseError]

    public init(data: JSONObject?, errors: [ResponseError] = []) {
        self.data = data
        self.errors = errors
    }

    /// - Throws: `UnreadableResponse` where the value is not an object with `data` or `errors`.
    public init(_ value: JSONValue) throws(UnreadableResponse) {
        guard let object = value.object, object["data"] != nil || object["errors"] != nil else {
            throw UnreadableResponse(expected: "data or errors")
        }
        self.init(data: object["data"]?.object, errors: (object["errors"]?.list ?? []).map { ResponseError($0) })
    }
}

/// Spec: 7.1.6 Errors
public struct ResponseError: Error, Sendable, Equatable {
    /// A sentence for people.
    public var message: String
    /// `extensions.code`; nil where the server gives none.
    public var code: String?
    /// Response names and indices from the root; empty where the error belongs to no field.
    public var path: [String]
    public var extensions: JSONObject

    public init(_ message: String, code: String? = nil, path: [String] = [], extensions: JSONObject = JSONObject()) {
        self.message = message
        self.code = code
        self.path = path
        self.extensions = extensions
    }

    init(_ value: JSONValue) {
        let object = value.object ?? JSONObject()
        extensions = object["extensions"]?.object ?? JSONObject()
        message = object["message"]?.text ?? ""
        code = extensions["code"]?.text
        path = (object["path"]?.list ?? []).map { step in
            if case .int(let index) = step { "\(index)" } else { step.text ?? "" }
        }
    }

    /// The number of seconds to wait before a retry; nil where the server names none.
    public var retryAfter: Double? {
        switch extensions["retryAfter"] {
        case .int(let seconds): Double(seconds)
        case .float(let seconds): seconds
        default: nil
        }
    }
}

/// A request without a result: the server refused it, errors left no data, or the client has no session for it.
public struct RequestRefused: Error, Sendable, Equatable {
    public var errors: [ResponseError]

    public init(_ errors: [ResponseError]) { self.errors = errors }

    /// Whether one of the errors has the code.
    public func has(_ code: String) -> Bool { errors.contains { $0.code == code } }
}
