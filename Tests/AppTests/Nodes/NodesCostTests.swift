import GraphQL
import Testing

@testable import App

/// What `nodes` asks for is known before any statement runs.
@Suite struct NodesCostTests {
    private func cost(_ document: String, ids: InputValue? = nil) throws -> Int? {
        let variables = ids.map { ["ids": $0] }
        return try measure(parse(Source(document)), against: Domain.schema(), variables: variables)?.cost
    }

    @Test func eachIDCounts() throws {
        let ids = InputValue.list((0..<100).map { .string("thought_\($0)") })
        #expect(try cost("query($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids: ids) == 100)
        #expect(try cost(#"{ nodes(ids: ["a", "b", "c"]) { id } }"#) == 3)
        // Spec: 3.11 List, "Input Coercion": one value is a list of it.
        #expect(try cost(#"{ nodes(ids: "a") { id } }"#) == 1)
    }

    @Test func whatEachHoldsCountsAsOften() throws {
        let document = "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Thought { author { username } } } }"
        #expect(try cost(document, ids: .list((0..<50).map { .string("thought_\($0)") })) == 100)
    }
}
