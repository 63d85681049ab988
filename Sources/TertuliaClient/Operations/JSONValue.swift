import Foundation
import GraphQL

/// A JSON value. It is the GraphQL engine's type, so that the client needs no second reader and writer of JSON.
public typealias JSONValue = GraphQL.InputValue
/// A JSON object, its members in order.
public typealias JSONObject = GraphQL.InputObject

extension JSONValue {
    /// The members of an object; nil for every other value.
    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
    /// The items of an array; nil for every other value.
    public var list: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
    /// A string; nil for every other value.
    public var text: String? { if case .string(let text) = self { text } else { nil } }

    /// Reads one JSON text.
    /// - Throws: `JSONError`.
    public init(json bytes: some Collection<UInt8>) throws(JSONError) { self = try parseJSON(Array(bytes)) }

    /// The value as JSON text, in UTF-8.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The value as JSON text.
    public var jsonText: String { String(decoding: json, as: UTF8.self) }
}

extension JSONObject {
    /// Replaces the member of that name, or adds it at the end.
    mutating func set(_ name: String, _ value: JSONValue) {
        if let index = fields.firstIndex(where: { $0.name == name }) {
            fields[index].value = value
        } else {
            fields.append((name: name, value: value))
        }
    }
}
