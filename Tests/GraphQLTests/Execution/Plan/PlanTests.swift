import Testing

@testable import GraphQL

@Suite struct PlanTests {
    @Test func conditionsPickThePlanAndKeepTheOrder() async throws {
        let text = """
            query ($a: Boolean!, $b: Boolean!) {
                thought(id: "t1") {
                    id @include(if: $a)
                    text @skip(if: $b) @include(if: true)
                    ... @include(if: $b) { category id }
                    ...T @skip(if: $a)
                    title @skip(if: true)
                }
            }
            fragment T on Thought { tags title text }
            """
        let expected = [
            (false, false, #"{"text":"text 1","tags":["tag 0"],"title":"title 1"}"#),
            (false, true, #"{"category":"FUNNY","id":"t1","tags":["tag 0"],"title":"title 1","text":"text 1"}"#),
            (true, false, #"{"id":"t1","text":"text 1"}"#),
            (true, true, #"{"id":"t1","category":"FUNNY"}"#),
        ]
        for (a, b, thought) in expected {
            let response = try await Fixture.execute(text, variables: ["a": .boolean(a), "b": .boolean(b)])
            #expect(response == #"{"data":{"thought":"# + thought + "}}")
        }
    }

    @Test func operationsWithoutConditionsHaveOneMask() throws {
        let schema = try Fixture.schema()
        let plain = try PreparedOperation(parse(Source("query ($a: Int) { now }")), operationName: nil, schema: schema)
        #expect(try plain.mask(for: [:]) == plain.mask(for: ["a": .int(1)]))
        let text = "query ($a: Boolean!) { now ...F } fragment F on Query { fails @skip(if: $a) }"
        let conditional = try PreparedOperation(parse(Source(text)), operationName: nil, schema: schema)
        #expect(try conditional.mask(for: ["a": .boolean(true)]) != conditional.mask(for: ["a": .boolean(false)]))
    }

    /// A nullable variable with a default may be a condition, and a request may give null for it.
    @Test(arguments: ["now @include(if: $a)", "now @skip(if: $a)", "... @defer(if: $a) { now }"])
    func aNullConditionIsRefused(_ selection: String) throws {
        let text = "query ($a: Boolean = true) { \(selection) }"
        let prepared = try PreparedOperation(
            parse(Source(text)), operationName: nil, schema: try Fixture.schema())
        _ = try prepared.mask(for: [:])
        let error = #expect(throws: RequestError.self) { try prepared.mask(for: ["a": .null]) }
        #expect(
            error?.errors.map(\.message) == ["Argument \"if\" of non-null type \"Boolean!\" must not be null."])
        #expect(error?.errors.first?.extensions["code"] == .string("BAD_USER_INPUT"))
    }

    @Test func findsTheOperation() throws {
        let schema = try Fixture.schema()
        let document = try parse(Source("query A { now } query B { fails } fragment F on Query { now }"))
        #expect(try PreparedOperation(document, operationName: "B", schema: schema).operation.name?.value == "B")
        let several = #expect(throws: RequestError.self) {
            try PreparedOperation(document, operationName: nil, schema: schema)
        }
        #expect(
            several?.errors.map(\.message) == ["Must provide operation name if query contains multiple operations."])
        let unknown = #expect(throws: RequestError.self) {
            try PreparedOperation(document, operationName: "C", schema: schema)
        }
        #expect(unknown?.errors.map(\.message) == [#"Unknown operation named "C"."#])
        let fragments = try parse(Source("fragment F on Query { now }"))
        let none = #expect(throws: RequestError.self) {
            try PreparedOperation(fragments, operationName: nil, schema: schema)
        }
        #expect(none?.errors.map(\.message) == ["Must provide an operation."])
    }

    @Test func sharesPlansOfEqualSelectionsAmongTypes() throws {
        // Each level has two possible types, which would double without sharing.
        let level = "feed { author { best { author { best { author { best { author { id } } } } } } } }"
        #expect(try Fixture.plan("{ \(level) }").operation.selections.count == 10)
    }

    @Test func fragmentTreesThatDoubleDoNotExplode() throws {
        let fragments = (0..<30).map { level in
            let next = level < 29 ? "...F\(level + 1)" : "id"
            return "fragment F\(level) on User { friends { \(next) } friends { \(next) } more: friends { \(next) } }"
        }
        let text = "{ thought(id: \"t1\") { author { ...F0 } } } \(fragments.joined(separator: "\n"))"
        #expect(try Fixture.plan(text).operation.selections.count < 100)
    }

    @Test func chainsOfFragmentsNeedNoStack() throws {
        let count = 10_000
        let fragments = (0..<count).map { "fragment F\($0) on Query { \($0 < count - 1 ? "...F\($0 + 1)" : "now") }" }
        #expect(try Fixture.plan("{ ...F0 } \(fragments.joined(separator: "\n"))").operation.fields.count == 1)
    }

    @Test func refusesOperationsThatAreTooDeep() throws {
        let fragments = (0..<500).map { "fragment F\($0) on User { friends { id ...F\($0 + 1) } }" }
        let text =
            "{ thought(id: \"t1\") { author { ...F0 } } } \(fragments.joined(separator: "\n"))"
            + " fragment F500 on User { id }"
        let error = #expect(throws: RequestError.self) { try Fixture.plan(text) }
        #expect(error?.errors.first?.extensions["code"] == .string("QUERY_TOO_COMPLEX"))
    }
}
