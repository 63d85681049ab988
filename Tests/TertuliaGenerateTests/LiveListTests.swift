import GraphQL
import Testing

@testable import TertuliaGenerate

@Suite struct LiveListTests {
    private static let schema = """
        type Query { changeCursor: String feed(first: Int, after: String): Feed! }
        type Feed { edges: [Edge!]! pageInfo: PageInfo! }
        type PageInfo { hasNextPage: Boolean! endCursor: String }
        type Edge { cursor: String! position: String! node: Item }
        type Item { id: ID! text: String! }
        type Subscription { feedChanges(after: String): Change! }
        type Change { kind: String! nodeId: ID! cursor: String! position: String node: Item }
        """

    private static let rows = "fragment Row on Item { text }\n"
    private static let changes =
        "subscription Changes($after: String) { feedChanges(after: $after) { kind nodeId cursor node { ...Row } } }\n"

    private static func query(
        _ node: String = "...Row", root: String = "changeCursor ", edges: String = "cursor ", name: String = "Changes"
    ) -> String {
        "query Feed($after: String) { \(root)feed(after: $after) @live(changes: \"\(name)\") "
            + "{ edges { \(edges)node { \(node) } } pageInfo { hasNextPage endCursor } } }\n"
    }

    private func generate(_ document: String) throws -> String {
        try generateSwift(schema: [Source(Self.schema)], documents: [Source(document, name: "a.graphql")]).source
    }

    @Test func aListAndItsChangesShareTheirRow() throws {
        let code = try generate(Self.rows + Self.changes + Self.query())
        #expect(code.contains("extension FeedQuery: LiveQuery {\n    typealias Row = RowFragment\n"))
        #expect(code.contains("typealias Changes = ChangesSubscription\n"))
        #expect(code.contains("static let connection = [\"feed\"]\n"))
        #expect(code.contains("static let changeField = \"feedChanges\"\n"))
        #expect(code.contains("copy.after = .value(cursor)\n"))
    }

    @Test func aCursorThatHasToBeGivenIsTaken() throws {
        let changes = Self.changes.replacing("$after: String)", with: "$self: String!)").replacing(
            "$after)", with: "$self)")
        let code = try generate(Self.rows + changes + Self.query())
        #expect(code.contains("copy.self_ = cursor\n"))
        #expect(code.contains("copy.after = .value(cursor)\n"))
    }

    @Test func aCursorThatIsNoTextIsRefused() throws {
        let schema = Self.schema.replacing("after: String): Feed!", with: "after: Int): Feed!")
        let query = Self.query().replacing("$after: String", with: "$after: Int")
        let error = #expect(throws: GenerationFailure.self) {
            try generateSwift(
                schema: [Source(schema)], documents: [Source(Self.rows + Self.changes + query, name: "a.graphql")])
        }
        #expect(
            try #require(error).description
                == "a.graphql:3:12: error: The variable $after holds the cursor of a list with @live: its type is String."
        )
    }

    @Test(arguments: [
        (rows + changes + query("text"), "a.graphql:3:111: error: The node of a list with @live selects one fragment"),
        (rows + changes + query("...Row text"), "selects one fragment and nothing else"),
        (rows + "fragment Other on Item { text }\n" + changes + query("...Other"), "selects ...Other and nothing else"),
        (rows + changes + query(root: ""), "selects changeCursor"),
        (rows + changes + query(edges: ""), "selects edges { cursor node }"),
        (rows + changes + query(edges: "cursor position "), "both select position"),
        (rows + changes + query(name: "Nothing"), "No subscription has the name"),
        (
            rows + changes + "query Feed { changeCursor ...F } fragment F on Query { "
                + "feed @live(changes: \"Changes\") { edges { cursor } } }", "not in a fragment"
        ),
        (
            rows + "subscription Changes { feedChanges { kind nodeId cursor node { ...Row } } }\n" + query(),
            "take their argument after from a variable"
        ),
    ])
    func aListThatItsChangesCannotFillIsRefused(_ document: String, _ problem: String) throws {
        let error = #expect(throws: GenerationFailure.self) { try generate(document) }
        #expect(try #require(error).description.contains(problem), "\(String(describing: error))")
    }
}
