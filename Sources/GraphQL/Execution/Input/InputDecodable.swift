/// A Swift type that a coerced input value turns into.
public protocol InputDecodable {
    init(inputValue: InputValue) throws
    /// What stands for an argument or input field that is not there. Throws unless there is such a thing.
    static func decodeAbsent(_ name: String) throws -> Self
}

/// An input object of the schema.
public protocol InputObjectDecodable: InputDecodable {
    init(input: InputObject) throws
}

/// A Swift type does not fit the schema's input type: a bug of the schema's implementation, masked like any other.
public enum InputDecodingError: Error, Equatable {
    case absent(String)
    case mismatch(expected: String)
}

extension InputObject {
    /// The argument or input field `name`.
    public func decode<Value: InputDecodable>(_ type: Value.Type, _ name: String) throws -> Value {
        try decode(name)
    }

    /// The same, its type inferred: `text = try input.decode("text")`.
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

/// Enums of the schema: the raw value is the enum value's name.
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
