import GraphQL
import Postgres

/// How a mapping gets one value: from the first of its expressions that finds one.
struct FieldRule: Equatable {
    var from: [Expression]
    /// The replacements of texts; the keys are in lower case. Without a `fallback`, any other text is refused.
    var values: [String: String] = [:]
    var fallback: String?
    /// True if a text that is too long is cut; otherwise it is refused.
    var cuts = false
    var format: DateFormat?
    /// For an event's end: how long after its start it is, where there is no end.
    var minutesAfterStart: Int?

    /// The reason for which a value does not fit. `text` is a sentence.
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

    /// The id of an account, or a document's path: a text or a reference.
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
            throw Misfit(text: "It is not a time between 1990 and 2100 in a form that the mapping tells.")
        }
        return timestamp
    }

    /// What `each` goes through: the elements of a list with their places, or the members of an object with their names.
    /// A text in a list is an id.
    func elements(in scope: Scope) throws(Misfit) -> [(name: String, value: InputValue)] {
        switch try value(in: scope) {
        case .list(let values)?:
            return values.enumerated().map { index, value in
                (name: value.text ?? String(index), value: value)
            }
        case .object(let object)?:
            // A key is kept with false where an app takes a like back.
            return object.fields.filter { $0.value != .boolean(false) && $0.value != .null }
        case .none: return []
        case .some(let other): throw Misfit(text: "It is \(other.kind), neither a list nor an object.")
        }
    }
}

extension InputValue {
    /// nil unless it is a text.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The kind of a JSON value, for people.
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
