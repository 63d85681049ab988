import GraphQL
import Postgres

/// A mapping's rule for one field. The field gets the value of the first expression that finds a value.
struct FieldRule: Equatable {
    var from: [Expression]
    /// The replacements of texts; the keys are in lower case. If there are any, a text without a replacement becomes
    /// the `fallback`, or is refused if the rule has no `fallback`.
    var values: [String: String] = [:]
    /// The mapping's `default`: the field's value if no expression finds a value.
    var fallback: String?
    /// True if a text that is too long is cut; otherwise it is refused.
    var cuts = false
    var format: DateFormat?
    /// The minutes from an event's start to its end, where the document has no end.
    var minutesAfterStart: Int?

    /// A value that does not fit its field. `text` is the reason, as a sentence.
    struct Misfit: Error, Equatable {
        let text: String
    }

    private func value(in scope: Scope) throws(Misfit) -> InputValue? {
        for expression in from {
            switch expression.value(in: scope) {
            case .value(let value): return value
            case .malformed(let reason): throw Misfit(text: reason)
            case .absent: continue
            }
        }
        return nil
    }

    func text(in scope: Scope) throws(Misfit) -> String? {
        switch try value(in: scope) {
        case .string(let text)?:
            if values.isEmpty { return text }
            guard let replaced = values[text.lowercased()] ?? fallback else {
                throw Misfit(text: "The mapping has no value for \"\(text.prefix(80))\".")
            }
            return replaced
        case .none: return fallback
        case .some(let other): throw Misfit(text: "It is \(other.kind), not a text.")
        }
    }

    /// The id of an account, or the path of a document. The value is a text or a Firestore reference.
    /// - Parameter isPath: true for the whole path, false for the id at its end.
    func id(in scope: Scope, isPath: Bool = false) throws(Misfit) -> String? {
        var text: String
        switch try value(in: scope) {
        case .string(let value)?: text = value
        case .object(let object)?:
            guard object["__datatype__"] == .string("documentReference"), case .string(let value)? = object["value"]
            else { throw Misfit(text: "It is an object, not an id.") }
            text = value
        case .none: return fallback
        case .some(let other): throw Misfit(text: "It is \(other.kind), not an id.")
        }
        text = FirestoreReader.relative(text)
        // A reference to an account's document ends with the account's id.
        if !isPath, let slash = text.lastIndex(of: "/") { text = String(text[text.index(after: slash)...]) }
        guard text.utf8.count <= FirebaseDocument.maximumPathByteCount, !text.utf8.contains(0) else {
            throw Misfit(text: "It is not an id: it is too long, or has a character that cannot be stored.")
        }
        return text.isEmpty ? fallback : text
    }

    func bool(in scope: Scope) throws(Misfit) -> Bool? {
        switch try value(in: scope) {
        case .boolean(let value)?: return value
        case .int(0)?, .string("false")?, .string("0")?: return false
        case .int(1)?, .string("true")?, .string("1")?: return true
        case .none: return fallback.map { $0 == "true" }
        case .some(let other): throw Misfit(text: "It is \(other.kind), neither true nor false.")
        }
    }

    func integer(in scope: Scope) throws(Misfit) -> Int? {
        switch try value(in: scope) {
        case .int(let number)?: return number
        case .float(let number)?:
            guard let whole = Int(exactly: number) else { throw Misfit(text: "It is not a whole number.") }
            return whole
        case .none: return fallback.flatMap { Int($0) }
        case .some(let other): throw Misfit(text: "It is \(other.kind), not a number.")
        }
    }

    func date(in scope: Scope) throws(Misfit) -> Timestamp? {
        let found = try value(in: scope) ?? fallback.map(InputValue.string)
        guard let found else { return nil }
        guard let timestamp = FirebaseDate.timestamp(found, format) else {
            throw Misfit(text: "It is not a time between 1990 and 2100 in the format that the mapping names.")
        }
        return timestamp
    }

    /// The elements over which a rule's `each` repeats the rule: the elements of a list, or the members of an object.
    /// The name of a member is its key. The name of a list's element is its text, which is an id; an element that is no
    /// text is named by its index.
    func elements(in scope: Scope) throws(Misfit) -> [(name: String, value: InputValue)] {
        switch try value(in: scope) {
        case .list(let values)?:
            return values.enumerated().map { index, value in
                (name: value.text ?? String(index), value: value)
            }
        case .object(let object)?:
            // Some apps take a like back by setting the value of its key to false.
            return object.fields.filter { $0.value != .boolean(false) && $0.value != .null }
        case .none: return []
        case .some(let other): throw Misfit(text: "It is \(other.kind), neither a list nor an object.")
        }
    }
}

extension InputValue {
    /// The text; nil for a value of another kind.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The kind of a JSON value, as the reasons of a report name it.
    var kind: String {
        switch self {
        case .null: "null"
        case .int, .float: "a number"
        case .string: "a text"
        case .boolean: "true or false"
        case .list: "a list"
        case .object: "an object"
        case .enumeration, .upload, .secret: "no JSON"
        }
    }
}
