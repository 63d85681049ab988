/// A Swift type that is decoded from a coerced input value: an argument or an input field.
public protocol InputDecodable {
    /// - Throws: ``InputDecodingError`` where the type does not fit the schema; an ``ExecutionError`` where the client
    ///   shall read why its value is refused.
    init(inputValue: InputValue) throws
    /// The value of an argument or input field that is absent. The default implementation throws; optionals and
    /// ``Patch`` have a value.
    static func decodeAbsent(_ name: String) throws -> Self
}

/// A Swift type that is decoded from an input object.
public protocol InputObjectDecodable: InputDecodable {
    /// - Throws: as ``InputDecodable/init(inputValue:)``.
    init(input: InputObject) throws
}

/// A Swift type does not fit the schema's input type: a bug of the schema's implementation, masked like any other
/// error.
public enum InputDecodingError: Error, Equatable {
    /// The argument or input field of this name is absent.
    case absent(String)
    /// A value is not of the expected Swift type.
    case mismatch(expected: String)
}

extension InputObject {
    /// Decodes the argument or input field `name`: `input.decode(String.self, "text")`.
    public func decode<Value: InputDecodable>(_ type: Value.Type, _ name: String) throws -> Value {
        try decode(name)
    }

    /// Decodes the argument or input field `name` as the type that is inferred: `text = try input.decode("text")`.
    public func decode<Value: InputDecodable>(_ name: String) throws -> Value {
        guard let value = self[name] else { return try Value.decodeAbsent(name) }
        return try Value(inputValue: value)
    }
}

extension InputDecodable {
    public static func decodeAbsent(_ name: String) throws -> Self { throw InputDecodingError.absent(name) }

    static var mismatch: InputDecodingError { .mismatch(expected: "\(Self.self)") }
}

extension InputObjectDecodable {
    public init(inputValue: InputValue) throws {
        guard case .object(let object) = inputValue else { throw Self.mismatch }
        try self.init(input: object)
    }
}

/// A Swift enum of strings is decoded from an enum value of the same name, or from a string.
extension InputDecodable where Self: RawRepresentable, RawValue == String {
    public init(inputValue: InputValue) throws {
        switch inputValue {
        case .enumeration(let name), .string(let name):
            guard let value = Self(rawValue: name) else { throw Self.mismatch }
            self = value
        default: throw Self.mismatch
        }
    }
}

extension Optional: InputDecodable where Wrapped: InputDecodable {
    public init(inputValue: InputValue) throws {
        self = inputValue.isNull ? nil : try Wrapped(inputValue: inputValue)
    }

    public static func decodeAbsent(_ name: String) -> Self { nil }
}

extension Array: InputDecodable where Element: InputDecodable {
    public init(inputValue: InputValue) throws {
        guard case .list(let items) = inputValue else { throw Self.mismatch }
        self = try items.map { try Element(inputValue: $0) }
    }
}
