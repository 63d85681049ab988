/// An entry of a response's `errors`.
/// Spec: 7.1.6 Errors
public struct GraphQLError: Error, Sendable, Equatable {
    public var message: String
    public var locations: [SourceLocation]
    /// Only where an execution error happened while a field was executed.
    public var path: [PathElement]
    public var extensions: InputObject

    public init(
        _ message: String, locations: [SourceLocation] = [], path: [PathElement] = [],
        extensions: InputObject = InputObject()
    ) {
        self.message = message
        self.locations = locations
        self.path = path
        self.extensions = extensions
    }

    /// `extensions.code`, which clients may rely on, while messages may change.
    public init(_ message: String, code: ErrorCode, locations: [SourceLocation] = []) {
        self.init(
            message, locations: locations,
            extensions: InputObject([(name: "code", value: .string(code.rawValue))]))
    }
}

public enum PathElement: Sendable, Equatable {
    case key(String)
    case index(Int)
}

/// The request cannot be executed at all: it gets errors and no data.
/// Spec: 7.1.6 Errors, "request error"
public struct RequestError: Error, Sendable, Equatable {
    public var errors: [GraphQLError]

    public init(_ errors: [GraphQLError]) { self.errors = errors }
}

/// What a resolver throws for a client to read; everything else it throws is masked by the schema's `ExecutionContext`.
/// Spec: 7.1.6 Errors, "execution error"
public struct ExecutionError: Error, Sendable, Equatable {
    public var message: String
    public var extensions: InputObject

    public init(_ message: String, code: ErrorCode, extensions: [(name: String, value: InputValue)] = []) {
        self.message = message
        self.extensions = InputObject([(name: "code", value: .string(code.rawValue))] + extensions)
    }
}
