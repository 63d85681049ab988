import Foundation

/// A value that a variable or an input field takes.
public protocol InputEncodable: Sendable {
    func encode(_ encoder: inout InputEncoder) -> JSONValue
    /// Whether the value is left out of its object.
    var isAbsent: Bool { get }
}

extension InputEncodable {
    public var isAbsent: Bool { false }
}

/// A variable or an input field, with its value.
public struct InputField: Sendable {
    public let name: String
    public let value: any InputEncodable

    public init(_ name: String, _ value: any InputEncodable) {
        self.name = name
        self.value = value
    }

    /// - Parameters:
    ///   - name: the name of the variable or field.
    ///   - value: what is sent unless it is absent.
    ///   - standard: the operation's default, which is sent where the value is absent.
    public init(_ name: String, _ value: any InputEncodable, default standard: ArgumentValue) {
        self.init(name, value.isAbsent ? standard.value(JSONObject()) ?? .null : value)
    }
}

/// An input object of the schema.
public protocol InputObjectValue: InputEncodable {
    var inputFields: [InputField] { get }
}

extension InputObjectValue {
    public func encode(_ encoder: inout InputEncoder) -> JSONValue { .object(encoder.object(inputFields)) }
}

/// Turns input values into JSON, and collects the files among them.
public struct InputEncoder: Sendable {
    public private(set) var uploads: [UploadPart] = []
    private var path = "variables"

    public init() {}

    public mutating func object(_ fields: [InputField]) -> JSONObject {
        JSONObject(fields.filter { !$0.value.isAbsent }.map { ($0.name, encode($0.value, at: $0.name)) })
    }

    mutating func encode(_ value: some InputEncodable, at name: String) -> JSONValue {
        let outer = path
        path += "." + name
        defer { path = outer }
        return value.encode(&self)
    }

    /// - Returns: null, as the multipart request specification has it.
    mutating func add(_ file: UploadFile) -> JSONValue {
        uploads.append(UploadPart(path: path, file: file))
        return .null
    }
}

/// A file, and where it belongs in the request: `variables.image`.
/// Source: GraphQL multipart request specification
public struct UploadPart: Sendable, Equatable {
    public let path: String
    public let file: UploadFile

    public init(path: String, file: UploadFile) {
        self.path = path
        self.file = file
    }
}

/// A file to be sent.
public struct UploadFile: InputEncodable, Equatable {
    public let name: String
    /// A media type, such as `image/png`.
    public let contentType: String
    public let bytes: [UInt8]

    public init(name: String, contentType: String, bytes: [UInt8]) {
        self.name = name
        self.contentType = contentType
        self.bytes = bytes
    }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue { encoder.add(self) }
}

/// An input that need not be given. Absent and null differ: an update leaves an absent field as it is, and clears one
/// that is null.
public indirect enum Given<Value: InputEncodable>: InputEncodable {
    case absent
    case null
    case value(Value)

    /// The value, or absent where it is nil.
    public init(_ value: Value?) { self = value.map(Given.value) ?? .absent }

    public var isAbsent: Bool { if case .absent = self { true } else { false } }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue {
        if case .value(let value) = self { value.encode(&encoder) } else { .null }
    }
}

extension Given: Equatable where Value: Equatable {}

extension Given: ExpressibleByIntegerLiteral where Value: ExpressibleByIntegerLiteral {
    public init(integerLiteral value: Value.IntegerLiteralType) { self = .value(Value(integerLiteral: value)) }
}

extension Given: ExpressibleByFloatLiteral where Value: ExpressibleByFloatLiteral {
    public init(floatLiteral value: Value.FloatLiteralType) { self = .value(Value(floatLiteral: value)) }
}

extension Given: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    public init(booleanLiteral value: Value.BooleanLiteralType) { self = .value(Value(booleanLiteral: value)) }
}

extension Given: ExpressibleByUnicodeScalarLiteral where Value: ExpressibleByUnicodeScalarLiteral {
    public init(unicodeScalarLiteral value: Value.UnicodeScalarLiteralType) {
        self = .value(Value(unicodeScalarLiteral: value))
    }
}

extension Given: ExpressibleByExtendedGraphemeClusterLiteral
where Value: ExpressibleByExtendedGraphemeClusterLiteral {
    public init(extendedGraphemeClusterLiteral value: Value.ExtendedGraphemeClusterLiteralType) {
        self = .value(Value(extendedGraphemeClusterLiteral: value))
    }
}

extension Given: ExpressibleByStringLiteral where Value: ExpressibleByStringLiteral {
    public init(stringLiteral value: Value.StringLiteralType) { self = .value(Value(stringLiteral: value)) }
}

extension Array: InputEncodable where Element: InputEncodable {
    public func encode(_ encoder: inout InputEncoder) -> JSONValue {
        .list(enumerated().map { encoder.encode($0.element, at: "\($0.offset)") })
    }
}

extension Optional: InputEncodable where Wrapped: InputEncodable {
    public func encode(_ encoder: inout InputEncoder) -> JSONValue { self?.encode(&encoder) ?? .null }
}
