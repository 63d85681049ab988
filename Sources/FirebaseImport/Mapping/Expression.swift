import GraphQL

/// The source of a value in a mapping: a field such as `userId` or `author.id`, the whole value (`.`), a template with
/// named segments such as `thoughts/{thought}`, or a constant (`=SERIOUS`).
enum Expression: Equatable {
    enum Piece: Equatable {
        case text(String)
        case variable(String)
    }

    case field([String])
    case whole
    case template([Piece])
    case constant(String)

    /// nil for an empty field name, an unclosed brace, and a template with an unknown name.
    init?(_ text: String, variables: Set<String>) {
        if text == "." {
            self = .whole
        } else if text.hasPrefix("=") {
            self = .constant(String(text.dropFirst()))
        } else if text.contains("{") {
            guard let pieces = Self.pieces(text, variables) else { return nil }
            self = .template(pieces)
        } else {
            let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
            self = .field(names)
        }
    }

    private static func pieces(_ text: String, _ variables: Set<String>) -> [Piece]? {
        var pieces: [Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            guard let close = rest[open...].firstIndex(of: "}") else { return nil }
            let name = String(rest[rest.index(after: open)..<close])
            guard variables.contains(name) else { return nil }
            if open > rest.startIndex { pieces.append(.text(String(rest[..<open]))) }
            pieces.append(.variable(name))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return pieces
    }

    func value(in scope: Scope) -> FieldValue {
        switch self {
        case .whole: return scope.value
        case .constant(let text): return .value(.string(text))
        case .template(let pieces):
            return .value(
                .string(
                    pieces.map { piece -> String in
                        switch piece {
                        case .text(let text): text
                        case .variable(let name): scope.variables[name] ?? ""
                        }
                    }.joined()))
        case .field(let names):
            var value = names.first.map(scope.field) ?? .absent
            for name in names.dropFirst() {
                guard case .value(let found) = value else { break }
                if case .object(let object) = found {
                    value = object[name].map { FieldValue($0) } ?? .absent
                } else {
                    value = .absent
                }
            }
            return value
        }
    }

    /// The first name of a field such as `author.id`; nil for the whole value, a template and a constant.
    var fieldName: String? { path?.first }

    /// The names of a field such as `author.id`, none for the whole value, and nil for a template and a constant.
    var path: [String]? {
        switch self {
        case .field(let names): names
        case .whole: []
        case .template, .constant: nil
        }
    }
}

/// The values to which expressions refer: a document or an element of one of its fields, path segments and `{item}`.
struct Scope {
    let document: FirebaseDocument
    var variables: [String: String]
    /// The element that `each` is at; nil outside of `each`.
    var element: InputValue?

    var value: FieldValue { element.map { FieldValue($0) } ?? document.value }

    func field(_ name: String) -> FieldValue {
        switch element {
        case .object(let object)?: object[name].map { FieldValue($0) } ?? .absent
        case nil: document.value(name)
        default: .absent
        }
    }
}
