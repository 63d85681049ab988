import Foundation

/// A value that a response has.
public protocol OutputValue: Sendable {
    init(output: JSONValue) throws(UnreadableResponse)
}

/// A custom scalar's Swift type: read from responses and written into variables.
public protocol ScalarValue: OutputValue, InputEncodable, Equatable {}

/// A response does not have what its operation promises.
public struct UnreadableResponse: Error, Equatable, Sendable, CustomStringConvertible {
    /// What would have fitted, such as "an object".
    public var expected: String
    /// The response names and indices to the place.
    public var path: [String]

    public init(expected: String, path: [String] = []) {
        self.expected = expected
        self.path = path
    }

    public var description: String { "The response has not \(expected) at \(path.joined(separator: "."))." }

    func below(_ name: String) -> UnreadableResponse { UnreadableResponse(expected: expected, path: [name] + path) }
}

/// An object of a response.
public struct ObjectReader: Sendable {
    private let object: JSONObject

    public init(_ object: JSONObject) { self.object = object }

    /// The value of a response name. A name that is missing is read as null.
    public func read<Value: OutputValue>(_ name: String) throws(UnreadableResponse) -> Value {
        do { return try Value(output: object[name] ?? .null) } catch { throw error.below(name) }
    }

    /// Whether the object is of one of the types.
    public func isOne(of types: [String]) -> Bool { object["__typename"]?.text.map(types.contains) ?? false }

    /// True where the object, with the objects below it, has each field that is selected without a condition and
    /// outside of `@defer`. A null counts as a field that is there.
    public func has(_ set: SelectionSet) -> Bool { set.selections.allSatisfy(has) }

    private func has(_ selection: Selection) -> Bool {
        switch selection {
        case .field(let field):
            guard let value = object[field.responseName] else { return false }
            return field.selection.map { Self.has($0, in: value) } ?? true
        case .always(let set): return has(set)
        case .on(let types, let set): return !isOne(of: types) || has(set)
        case .conditional, .deferred: return true
        }
    }

    private static func has(_ set: SelectionSet, in value: JSONValue) -> Bool {
        switch value {
        case .object(let object): ObjectReader(object).has(set)
        case .list(let items): items.allSatisfy { has(set, in: $0) }
        default: true
        }
    }
}

extension Optional: OutputValue where Wrapped: OutputValue {
    public init(output: JSONValue) throws(UnreadableResponse) {
        self = try output == .null ? nil : Wrapped(output: output)
    }
}

extension Array: OutputValue where Element: OutputValue {
    public init(output: JSONValue) throws(UnreadableResponse) {
        guard case .list(let items) = output else { throw UnreadableResponse(expected: "a list") }
        self = []
        reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            do { append(try Element(output: item)) } catch { throw error.below("\(index)") }
        }
    }
}

extension String: ScalarValue {
    /// An id may be a number.
    public init(output: JSONValue) throws(UnreadableResponse) {
        switch output {
        case .string(let text): self = text
        case .int(let number): self = "\(number)"
        default: throw UnreadableResponse(expected: "a string")
        }
    }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue { .string(self) }
}

extension Int: ScalarValue {
    public init(output: JSONValue) throws(UnreadableResponse) {
        switch output {
        case .int(let number): self = number
        case .float(let number) where number == number.rounded() && abs(number) < 9e15: self = Int(number)
        default: throw UnreadableResponse(expected: "an integer")
        }
    }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue { .int(self) }
}

extension Double: ScalarValue {
    public init(output: JSONValue) throws(UnreadableResponse) {
        switch output {
        case .int(let number): self = Double(number)
        case .float(let number): self = number
        default: throw UnreadableResponse(expected: "a number")
        }
    }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue { .float(self) }
}

extension Bool: ScalarValue {
    public init(output: JSONValue) throws(UnreadableResponse) {
        guard case .boolean(let value) = output else { throw UnreadableResponse(expected: "a boolean") }
        self = value
    }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue { .boolean(self) }
}

extension JSONValue: ScalarValue {
    public init(output: JSONValue) throws(UnreadableResponse) { self = output }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue { self }
}

/// Source: RFC 3339
extension Date: ScalarValue {
    public init(output: JSONValue) throws(UnreadableResponse) {
        guard let text = output.text,
            let date = (try? Date(text, strategy: Self.withFraction)) ?? (try? Date(text, strategy: Self.plain))
        else { throw UnreadableResponse(expected: "a date and time") }
        self = date
    }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue { .string(formatted(Self.withFraction)) }

    private static let plain = Date.ISO8601FormatStyle()
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// An enum of the schema. A value that the schema did not have is `unknown`.
public protocol GraphQLEnum: ScalarValue, RawRepresentable, Hashable, CaseIterable where RawValue == String {
    init(rawValue: String)
}

extension GraphQLEnum {
    public init(output: JSONValue) throws(UnreadableResponse) {
        guard let text = output.text else { throw UnreadableResponse(expected: "an enum value") }
        self.init(rawValue: text)
    }

    public func encode(_ encoder: inout InputEncoder) -> JSONValue { .string(rawValue) }
}
