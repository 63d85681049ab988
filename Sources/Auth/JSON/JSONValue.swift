/// A JSON value (RFC 8259), with the distinctions that tokens and key files need.
enum JSONValue: Equatable {
    case null
    case boolean(Bool)
    /// A number written without fraction or exponent that an Int64 holds.
    case integer(Int64)
    /// A number with a fraction or exponent, or beyond Int64. No claim of an access token is one.
    case otherNumber
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    var object: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    var integer: Int64? {
        guard case .integer(let integer) = self else { return nil }
        return integer
    }

    var boolean: Bool? {
        guard case .boolean(let boolean) = self else { return nil }
        return boolean
    }
}
