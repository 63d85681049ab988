/// A value that came in: a raw JSON variable before coercion, or a coerced argument after it.
public enum InputValue: Sendable, Equatable {
    case null
    case int(Int)
    case float(Double)
    case string(String)
    case boolean(Bool)
    /// Only after coercion: the name of an enum value.
    case enumeration(String)
    case list([InputValue])
    case object(InputObject)
    /// A file that came beside the request: only as a part of its variables, never from JSON or a literal.
    case upload(Upload)
    /// Only after coercion: the text of an input field that is `@sensitive`; nil for null.
    case secret(Secret?)

    var isNull: Bool {
        switch self {
        case .null, .secret(nil): true
        default: false
        }
    }
}

/// The fields of an input object in the order given. Input objects are small: a scan beats a hash table.
public struct InputObject: Sendable, Equatable {
    public var fields: [(name: String, value: InputValue)]

    public init(_ fields: [(name: String, value: InputValue)] = []) { self.fields = fields }

    /// nil where the field is absent, which is not the same as `.null`.
    public subscript(name: String) -> InputValue? {
        for field in fields where field.name == name { return field.value }
        return nil
    }

    /// Without the values of `@sensitive` fields, here and in the objects within.
    public var withoutSecrets: InputObject {
        InputObject(
            fields.compactMap { name, value in
                switch value {
                case .secret: nil
                case .object(let object): (name, .object(object.withoutSecrets))
                default: (name, value)
                }
            })
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.fields.count == right.fields.count && left.fields.allSatisfy { right[$0.name] == $0.value }
    }
}
