/// An input value: a variable as JSON before coercion, or an argument after it.
public enum InputValue: Sendable, Equatable {
    case null
    case int(Int)
    case float(Double)
    case string(String)
    case boolean(Bool)
    /// The name of an enum value, after coercion or from a literal; never from JSON.
    case enumeration(String)
    case list([InputValue])
    case object(InputObject)
    /// A file part of the request; never from JSON or a literal.
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
    /// A name should occur once: the subscript returns the first field of a name.
    public var fields: [(name: String, value: InputValue)]

    public init(_ fields: [(name: String, value: InputValue)] = []) { self.fields = fields }

    /// The value of a field; nil where the field is absent, which is not the same as `.null`.
    public subscript(name: String) -> InputValue? {
        for field in fields where field.name == name { return field.value }
        return nil
    }

    /// The object without its `@sensitive` fields and without those of objects inside it, at any depth. Objects in
    /// lists keep theirs.
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

    /// True where both have the same fields, in any order.
    public static func == (left: Self, right: Self) -> Bool {
        left.fields.count == right.fields.count && left.fields.allSatisfy { right[$0.name] == $0.value }
    }
}
