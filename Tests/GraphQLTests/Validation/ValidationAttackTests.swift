import TestSupport
import Testing

@testable import GraphQL

/// Documents made to cost a naive validator seconds, gigabytes or its stack. The parser's limits are lifted, so that
/// these have to hold without them; the processor time is that of a debug build.
@Suite struct ValidationAttackTests {
    struct Attack: CustomTestStringConvertible, Sendable {
        var name: String
        var document: String
        /// Of the errors; nil: none.
        var code: String?

        var testDescription: String { name }
    }

    static let attacks: [Attack] = [
        Attack(name: "one field 2,000 times", document: "{ dog { \(repeated("name", 2_000)) } }"),
        Attack(name: "one object 2,000 times", document: "{ \(repeated("dog { name }", 2_000)) }"),
        Attack(
            name: "800 arguments to one key",
            document: "{ arguments { \(numbered(800) { "x: intArgField(intArg: \($0))" }) } }", code: invalid),
        Attack(
            name: "a tree that doubles 30 times",
            document: "{ dog { ...F0 } } fragment F30 on Dog { name }"
                + numbered(30) { "fragment F\($0) on Dog { ...F\($0 + 1) ...F\($0 + 1) }" }),
        Attack(
            name: "a tree of aliases that doubles 30 times",
            document: "{ __type(name: \"Dog\") { ...F0 } } fragment F30 on __Type { name }"
                + numbered(30) {
                    "fragment F\($0) on __Type { a: ofType { ...F\($0 + 1) } b: ofType { ...F\($0 + 1) } }"
                }),
        Attack(
            name: "10,000 chained fragments",
            document: "{ dog { ...F0 } } fragment F10000 on Dog { name }"
                + numbered(10_000) { "fragment F\($0) on Dog { ...F\($0 + 1) }" }),
        Attack(
            name: "10,000 fragments chained through fields",
            document: "{ __type(name: \"Dog\") { ...F0 } } fragment F10000 on __Type { name }"
                + numbered(10_000) { "fragment F\($0) on __Type { ofType { ...F\($0 + 1) } }" }),
        Attack(
            name: "10,000 chained fragments with a conflict",
            document: "{ dog { ...F0 name: nickname } } fragment F10000 on Dog { name }"
                + numbered(10_000) { "fragment F\($0) on Dog { ...F\($0 + 1) }" }, code: tooComplex),
        Attack(
            name: "fragments that all spread each other",
            document: "{ dog { ...F0 } }"
                + numbered(60) { first in
                    "fragment F\(first) on Dog { \(numbered(60) { "...F\($0)" }) }"
                }, code: invalid),
        Attack(
            name: "500 fragments in circles of hundreds",
            document: "{ dog { ...F0 } }"
                + numbered(500) { "fragment F\($0) on Dog { ...F\($0 + 1) ...F\($0 / 2) ...F0 }" }, code: invalid),
        Attack(
            name: "200 times 100 inline fragments",
            document: "{ \(repeated("dog { \(repeated("... on Dog { name }", 100)) }", 200)) }", code: tooComplex),
        Attack(
            name: "10,000 directives", document: "{ dog \(repeated("@skip(if: true)", 10_000)) { name } }",
            code: invalid),
        Attack(name: "10,000 unknown fields", document: "{ \(numbered(10_000) { "dogg\($0)" }) }", code: invalid),
        Attack(
            name: "10,000 wrong variables",
            document: "query (\(numbered(10_000) { "$v\($0): Dogg" })) { dog { name } }", code: invalid),
        Attack(
            name: "1,000 operations that spread one chain",
            document: numbered(1_000) { "query Q\($0) { ...F0 }" } + "fragment F50 on Query { dog { name } }"
                + numbered(50) { "fragment F\($0) on Query { ...F\($0 + 1) }" }),
    ]

    private static let invalid = "GRAPHQL_VALIDATION_FAILED"
    private static let tooComplex = "QUERY_TOO_COMPLEX"

    @Test(arguments: attacks)
    func endsSoonWithFewErrors(attack: Attack) throws {
        let document = try parse(Source(attack.document))
        var errors: [GraphQLError] = []
        let schema = try PetSchema.schema.get()
        let time = processorTime { errors = validate(document, against: schema) }
        #expect(time < .seconds(10))
        #expect(errors.count <= 50)
        #expect(errors.isEmpty == (attack.code == nil))
        if let code = attack.code { #expect(errors.contains { $0.extensions["code"] == .string(code) }) }
    }

    @Test(arguments: attacks)
    func canBeMeasured(attack: Attack) throws {
        let document = try parse(Source(attack.document))
        let name = document.definitions.lazy.compactMap { definition in
            if case .operation(let operation) = definition { operation.name?.value } else { nil }
        }.first
        let schema = try PetSchema.schema.get()
        var metrics: QueryMetrics?
        let time = processorTime { metrics = measure(document, operation: name, against: schema) }
        #expect(time < .seconds(10))
        #expect(metrics != nil)
    }

    @Test func theLastErrorSaysThatThereAreMore() throws {
        let document = try parse(Source("{ \(Self.numbered(60) { "unknown\($0)" }) }"))
        let errors = validate(document, against: try PetSchema.schema.get())
        #expect(errors.count == 50)
        #expect(errors[48].message.contains("unknown48"))
        #expect(errors[49].message == "Too many validation errors, error limit reached. Validation aborted.")
        let exact = try parse(Source("{ \(Self.numbered(50) { "unknown\($0)" }) }"))
        #expect(validate(exact, against: try PetSchema.schema.get()).count == 50)
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text + " ", count: count)
    }

    private static func numbered(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: " ")
    }
}
