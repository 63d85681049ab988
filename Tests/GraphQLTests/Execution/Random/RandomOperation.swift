import TestSupport

@testable import GraphQL

/// A random operation on a random schema: aliases, merged fields, fragments of all kinds, conditions.
struct RandomOperation {
    static let variables = ["a", "b", "c"]

    private let schema: RandomSchema
    /// Whether there are @defer and @stream.
    private let isIncremental: Bool
    private(set) var text = ""

    init(_ schema: RandomSchema, isIncremental: Bool = false, using generator: inout SeededGenerator) {
        self.schema = schema
        self.isIncremental = isIncremental
        let start = selections(on: .object(0), depth: 4, fragments: 0..<3, using: &generator)
        let again = selections(on: .object(1), depth: 4, fragments: 0..<3, using: &generator)
        let more = selections(on: .object(0), depth: 2, fragments: 0..<3, using: &generator)
        text = "query ($a: Boolean!, $b: Boolean!, $c: Boolean!) { start {\(start)} again {\(again)} start {\(more)} }"
        for fragment in 0..<3 {
            let type = Self.fragmentType(fragment)
            let below = selections(on: type.base, depth: 2, fragments: fragment + 1..<3, using: &generator)
            text += "\nfragment F\(fragment) on \(type.name) {\(below)}"
        }
    }

    private static func fragmentType(_ fragment: Int) -> (name: String, base: RandomSchema.Base) {
        [("I", .interface), ("O0", .object(0)), ("O1", .object(1))][fragment]
    }

    private func fields(of base: RandomSchema.Base) -> [RandomSchema.Field] {
        switch base {
        case .object(let object): schema.fields[object]
        case .interface: Array(schema.fields[0].prefix(2))
        case .leaf, .union: []
        }
    }

    private func selections(
        on base: RandomSchema.Base, depth: Int, fragments: Range<Int>, using generator: inout SeededGenerator
    ) -> String {
        var text = " __typename"
        for _ in 0..<Int.random(in: 1...5, using: &generator) {
            let condition = Self.condition(using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where depth > 0:
                let object = Int.random(in: 0..<RandomSchema.objectCount, using: &generator)
                let below = selections(on: .object(object), depth: depth - 1, fragments: fragments, using: &generator)
                text += " ... on O\(object)\(condition)\(deferral(using: &generator)) {\(below)}"
            case 1 where depth > 0:
                let below = selections(on: base, depth: depth - 1, fragments: fragments, using: &generator)
                text += " ...\(condition)\(deferral(using: &generator)) {\(below)}"
            case 2 where !fragments.isEmpty:
                text += " ...F\(Int.random(in: fragments, using: &generator))\(condition)\(deferral(using: &generator))"
            default:
                guard let field = fields(of: base).randomElement(using: &generator) else { continue }
                let alias = Bool.random(using: &generator) ? "alias_\(field.name): " : ""
                let condition = condition + stream(of: field)
                if case .leaf = field.base {
                    text += " \(alias)\(field.name)\(condition)"
                } else if depth > 0 {
                    let below = selections(on: field.base, depth: depth - 1, fragments: fragments, using: &generator)
                    text += " \(alias)\(field.name)\(condition) {\(below)}"
                }
            }
        }
        return text
    }

    private func deferral(using generator: inout SeededGenerator) -> String {
        guard isIncremental else { return "" }
        return [" @defer", " @defer", " @defer(if: $a)", "", ""].randomElement(using: &generator) ?? ""
    }

    /// The same for all fields of a name, so that they can be merged.
    private func stream(of field: RandomSchema.Field) -> String {
        guard isIncremental, field.type.hasPrefix("["), field.name.hasSuffix("1") || field.name.hasSuffix("3") else {
            return ""
        }
        return " @stream(initialCount: \(field.name.hasSuffix("1") ? 1 : 0))"
    }

    private static func condition(using generator: inout SeededGenerator) -> String {
        let values = variables.map { "$\($0)" } + ["true", "false"]
        let value = values.randomElement(using: &generator) ?? "true"
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return " @skip(if: \(value))"
        case 1: return " @include(if: \(value))"
        case 2: return " @skip(if: \(value)) @include(if: $a)"
        default: return ""
        }
    }
}
