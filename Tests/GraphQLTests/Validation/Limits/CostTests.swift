import Testing

@testable import GraphQL

/// Spec: GraphQL Cost Directives
@Suite struct CostTests {
    private static let schema = Result {
        let page = """
            @listSize(assumedSize: 20, slicingArguments: ["first", "last"], sizedFields: ["edges", "nodes"], \
            requireOneSlicingArgument: false)
            """
        return try buildSchema(
            parse(
                Source(
                    """
                    directive @cost(weight: String!) on
                      ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
                    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!],
                      requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
                    type Query {
                      feed(first: Int, last: Int): FeedConnection \(page)
                      top(count: Int = 5): [Thought] @listSize(slicingArguments: ["count"])
                      strict(first: Int, last: Int): [Thought] @listSize(slicingArguments: ["first", "last"])
                      nodes(ids: [ID!]!): [Item] @listSize(slicingArguments: ["ids"])
                      thought: Thought
                      all: [Thought!]!
                      search(text: String @cost(weight: "3")): Int @cost(weight: "2.5")
                      create(input: Input): Int
                    }
                    type Mutation { like: Thought bulk: Int @cost(weight: "40") }
                    type FeedConnection { edges: [FeedEdge!]! nodes: [Item]! pageInfo: PageInfo! }
                    type FeedEdge { cursor: String! node: Item }
                    type PageInfo { hasNextPage: Boolean! }
                    interface Item { id: ID! author: User! comments(first: Int): CommentConnection! \(page) }
                    type Thought implements Item { id: ID! author: User! comments(first: Int):
                      CommentConnection! \(page) big: Big }
                    type Event implements Item { id: ID! author: User! comments(first: Int):
                      CommentConnection! \(page) }
                    type CommentConnection { edges: [CommentEdge!]! nodes: [Comment]! pageInfo: PageInfo! }
                    type CommentEdge { cursor: String! node: Comment }
                    type Comment { id: ID! author: User! replies(first: Int): CommentConnection! \(page) }
                    type User { id: ID! avatar: Image }
                    type Image { url: String }
                    type Big @cost(weight: "100") { id: ID! }
                    input Input { plain: Int dear: Int @cost(weight: "7") }
                    """)))
    }

    @Test(arguments: ["nan", "-inf", "inf", "-1e300", "1e300"])
    func aWeightBeyondAllNumbersEndsNothing(weight: String) throws {
        let schema = try buildSchema(
            parse(
                Source(
                    """
                    directive @cost(weight: String!) on OBJECT
                    type Query { big: Big }
                    type Big @cost(weight: "\(weight)") { id: ID }
                    """)))
        let cost = try #require(measure(try parse(Source("{ big { id } }")), against: schema, variables: [:])?.cost)
        #expect((0...Int(Int32.max)).contains(cost))
    }

    private func cost(_ document: String, _ variables: [String: InputValue] = [:]) throws -> Int? {
        measure(try parse(Source(document)), against: try Self.schema.get(), variables: variables)?.cost
    }

    @Test(arguments: [
        ("{ __typename }", 0), ("{ thought { id } }", 1), ("{ thought { id author { id } } }", 2),
        ("{ thought { big { id } } }", 101), ("mutation { like { id } }", 11), ("mutation { bulk }", 40),
        ("{ search(text: \"a\") }", 6), ("{ search }", 3), ("{ all { id author { id } } }", 2),
        ("{ create(input: {plain: 1}) }", 0), ("{ create(input: {plain: 1, dear: 1}) }", 7),
        ("{ __schema { types { fields { name } } } }", 0),
    ])
    func weights(document: String, expected: Int) throws {
        #expect(try cost(document) == expected)
    }

    @Test(arguments: [
        ("{ feed { nodes { id } } }", 20), ("{ feed(first: 7) { nodes { id } } }", 7),
        ("{ feed(first: 7, last: 9) { nodes { id } } }", 9), ("{ feed(first: -1) { nodes { id } } }", 0),
        ("{ feed(first: 7) { edges { node { id } } pageInfo { hasNextPage } } }", 7),
        ("{ feed(first: 7) { ...F } } fragment F on FeedConnection { edges { node { id author { id } } } }", 14),
        ("{ top { id } }", 5), ("{ top(count: 8) { id } }", 8), ("{ nodes(ids: [1, 2, 3]) { id } }", 3),
        ("{ feed(first: 1000000000) { nodes { comments(first: 1000000000) { nodes { id } } } } }", 2_147_483_647),
    ])
    func sizes(document: String, expected: Int) throws {
        #expect(try cost(document) == expected)
    }

    @Test func sizesFromVariables() throws {
        let document = try parse(
            Source("query F($n: Int = 3, $ids: [ID!]!) { feed(first: $n) { nodes { id } } nodes(ids: $ids) { id } }"))
        let measure = QueryMeasure(document, against: try Self.schema.get())
        #expect(measure.metrics(of: "F", variables: ["ids": .list([.int(1)])])?.cost == 4)
        #expect(measure.metrics(of: "F", variables: ["n": .int(50), "ids": .list([])])?.cost == 50)
        #expect(measure.metrics(of: "F", variables: ["n": .null, "ids": .list([])])?.cost == 20)
        #expect(measure.metrics(of: "G") == nil)
    }

    @Test func oneSlicingArgumentWhereOneIsRequired() throws {
        let schema = try Self.schema.get()
        func unsliced(_ document: String) throws -> [String] {
            try #require(measure(parse(Source(document)), against: schema)).unslicedFields
        }
        #expect(try unsliced("{ strict { id } }") == ["strict"])
        #expect(try unsliced("{ strict(first: 1, last: 1) { id } }") == ["strict"])
        #expect(try unsliced("{ strict(first: 1) { id } feed { nodes { id } } top { id } }") == [])
    }

    /// An object is of one type: what is selected on the others does not come on top.
    @Test func theDearestTypeCounts() throws {
        let document = """
            { feed(first: 10) { nodes { id author { id }
              ... on Thought { comments(first: 5) { nodes { id } } } ... on Event {
                comments(first: 3) { nodes { id } } } } } }
            """
        #expect(try cost(document) == 10 * (1 + 1 + 5))
    }

    /// A page of the largest size with authors, avatars, and five comments each with theirs.
    @Test func aFullPageOfTheFeedPasses() throws {
        let document = """
            { feed(first: 100) { edges { cursor node { id ...Author ... on Thought {
              ...Comments } ... on Event { ...Comments } } }
              pageInfo { hasNextPage } } }
            fragment Author on Item { author { id avatar { url } } }
            fragment Comments on Item { comments(first: 5) { edges { node { id author { id avatar { url } } } } } }
            """
        let metrics = try #require(measure(parse(Source(document)), against: try Self.schema.get()))
        #expect(metrics.cost == 100 * (1 + 2 + 5 * 3))
        #expect(QueryLimits().check(metrics) == [])
    }

    @Test func aFragmentTreeThatDoublesIsCountedWithoutBeingUnfolded() throws {
        let tree = (0..<30).map { "fragment F\($0) on Thought { ...F\($0 + 1) ...F\($0 + 1) }" }.joined()
        #expect(try cost("{ thought { ...F0 } } fragment F30 on Thought { author { id } } \(tree)") == 1_073_741_825)
    }

    /// A cost beyond what a number holds, in a list without elements.
    @Test(arguments: [("0", 0), ("-1", 0), ("1", 2_147_483_647)])
    func listsInListsHaveAFiniteCost(_ first: String, _ expected: Int) throws {
        let depth = 40
        let chain = (0..<depth).map { number in
            "fragment F\(number) on Comment { replies(first: 2147483647) { nodes { ...F\(number + 1) } } }"
        }.joined(separator: " ")
        let text = """
            query ($first: Int) { feed(first: $first) { nodes { comments(first: \(first)) { nodes { ...F0 } } } } }
            \(chain) fragment F\(depth) on Comment { author { id } }
            """
        for size in [0, 1] {
            let cost = try cost(text, ["first": .int(size)])
            #expect(cost == (size == 0 ? 0 : max(expected, 1)))
        }
        #expect(try cost(text, ["first": .float(1e300)]) == 2_147_483_647)
    }
}
