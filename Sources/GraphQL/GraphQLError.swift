/// An entry of a response's `errors`.
/// Spec: 7.1.6 Errors
public struct GraphQLError: Error, Sendable, Equatable {
    /// A sentence for people. It may change; programs read `extensions.code`.
    public var message: String
    /// Places in the document; empty where the error belongs to none.
    public var locations: [SourceLocation]
    /// The path of the field in the response; empty where the error belongs to no field.
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

    /// - Parameters:
    ///   - message: a sentence for people.
    ///   - code: becomes `extensions.code`, which clients may rely on.
    ///   - locations: places in the document.
    public init(_ message: String, code: ErrorCode, locations: [SourceLocation] = []) {
        self.init(
            message, locations: locations,
            extensions: InputObject([(name: "code", value: .string(code.rawValue))]))
    }
}

/// A step of an error's path.
/// Spec: 7.1.6 Errors, "path"
public enum PathElement: Sendable, Equatable {
    /// A response name.
    case key(String)
    /// An index of a list, from 0.
    case index(Int)
}

/// The errors of a request that cannot be executed at all: its response has no data.
/// Spec: 7.1.6 Errors, "request error"
public struct RequestError: Error, Sendable, Equatable {
    public var errors: [GraphQLError]

    public init(_ errors: [GraphQLError]) { self.errors = errors }
}

/// An error that a resolver throws for the client to read. Other errors are masked by
/// ``ExecutionContext/executionError(for:)``.
/// Spec: 7.1.6 Errors, "execution error"
public struct ExecutionError: Error, Sendable, Equatable {
    /// A sentence for people.
    public var message: String
    public var extensions: InputObject

    /// - Parameters:
    ///   - message: a sentence for people.
    ///   - code: becomes `extensions.code`.
    ///   - extensions: further members of `extensions`.
    public init(_ message: String, code: ErrorCode, extensions: [(name: String, value: InputValue)] = []) {
        self.message = message
        self.extensions = InputObject([(name: "code", value: .string(code.rawValue))] + extensions)
    }
}
