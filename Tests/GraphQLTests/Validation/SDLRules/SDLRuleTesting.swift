@testable import GraphQL

/// The errors of one rule, as `message (line:column, …)`.
func sdlErrors(_ rule: any SDLRule.Type, _ text: String, extending schema: String? = nil) throws -> [String] {
    let existing = try schema.map { try buildSchema(try parse(Source($0)), assumeValid: true) }
    return validateSDL(try parse(Source(text)), extending: existing, rules: [rule]).map { error in
        "\(error.message) (\(error.locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")))"
    }
}
