import Foundation
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
        _ node: String = "...Row", root: String = "changeCursor ", edges: String = "cursor ", name: String = "Changes",
        after: String = "String"
    ) -> String {
        "query Feed($after: \(after)) { \(root)feed(after: $after) @live(changes: \"\(name)\") "
            + "{ edges { \(edges)node { \(node) } } pageInfo { hasNextPage endCursor } } }\n"
    }

    private func generate(_ document: String) throws -> String {
        try generateSwift(schema: [Source(Self.schema)], documents: [Source(document, name: "a.graphql")]).source
    }

    @Test func aListAndItsChangesShareTheirRow() throws {
        let code = try generate(Self.rows + Self.changes + Self.query())
        #expect(code.contains("extension FeedQuery: LiveQuery {\n    typealias Row = Row\n"))
        #expect(code.contains("typealias Changes = ChangesSubscription\n"))
        #expect(code.contains("static let connection = [\"feed\"]\n"))
        #expect(code.contains("static let changeField = \"feedChanges\"\n"))
        #expect(code.contains("copy.after = .value(cursor)\n"))
    }

    /// A variable that has to be given has no `Given`.
    @Test(arguments: ["String!", "String! = \"\""])
    func theCursorOfANextPageIsWrittenAsItsTypeIs(_ type: String) throws {
        let code = try generate(Self.rows + Self.changes + Self.query(after: type))
        #expect(
            code.contains(
                "func page(after cursor: String) -> FeedQuery {\n        var copy = self\n        copy.after = cursor\n"
            ))
        #expect(code.contains("copy.after = .value(cursor)\n"))
    }

    /// A custom scalar is a string where the caller says so.
    @Test func theCursorIsAString() throws {
        let schema = Self.schema.replacingOccurrences(of: "after: String", with: "after: Cursor") + "\nscalar Cursor"
        let document =
            Self.rows + Self.query(after: "Cursor")
            + Self.changes.replacingOccurrences(of: "$after: String", with: "$after: Cursor")
        func generate(_ options: GenerationOptions) throws -> String {
            try generateSwift(
                schema: [Source(schema)], documents: [Source(document, name: "a.graphql")], options: options
            ).source
        }
        let code = try generate(GenerationOptions(scalars: ["Cursor": "String"]))
        #expect(code.contains("copy.after = .value(cursor)\n"))
        let error = #expect(throws: GenerationFailure.self) { try generate(GenerationOptions()) }
        #expect(
            try #require(error).description
                == "a.graphql:2:12: error: A cursor is a string: $after needs a type that is String in Swift.")
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
