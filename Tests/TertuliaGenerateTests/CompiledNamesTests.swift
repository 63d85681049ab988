import GraphQL
import Testing

@testable import TertuliaGenerate

/// Generated code compiles without a warning if names that mean something to Swift or to the client stand in any position
/// that a name has in GraphQL. One compiler runs at a time.
@Suite(.serialized) struct CompiledNamesTests {
    private static let names = MeaningfulNames.all

    @Test func namesAreThoseThatMeanSomething() {
        #expect(Self.siblings.allSatisfy { $0.count <= 3 })
        for name in [
            "self", "in",  // keywords
            "object", "copy", "variableFields", "SelectionSet", "LiveQuery", "Given", "QueryOperation",  // used
            "isAbsent", "inputFields", "connection",  // members
            "data", "Data", "DATA",
        ] { #expect(Self.names.contains(name), "\(name)") }
        #expect(MeaningfulNames.capitals.contains("ALL_CASES"))
    }

    private static let schema = """
        type Query { changeCursor: String hit: Hit hits(after: String): Hits echo(text: String): String }
        interface Node { id: ID! }
        type Hit implements Node { id: ID! text: String hit: Hit node: Node }
        type Hits { edges: [Edge!]! pageInfo: PageInfo! }
        type PageInfo { hasNextPage: Boolean! endCursor: String }
        type Edge { cursor: String! node: Hit }
        type Subscription { changes(after: String): Change! }
        type Change { kind: String! nodeId: ID! cursor: String! node: Hit }
        type Mutation { write(text: String): Hit }

        """

    /// - Parameter schema: types besides those of all tests. With such types the code is public.
    private func expectCompiles(_ document: String, schema: String = "") async throws {
        let generated = try generateSwift(
            schema: [Source(Self.schema + schema, name: "schema.graphql")],
            documents: [Source(document, name: "a.graphql")], options: GenerationOptions(isPublic: !schema.isEmpty))
        let problems = try await SwiftCompiler.problems(in: generated.source, .types)
        #expect(problems.isEmpty, "\(problems.prefix(20).joined(separator: "\n"))")
    }

    /// Names that differ in the case of letters alone.
    private static let siblings = siblings(names)

    private static func siblings(_ names: [String]) -> [[String]] {
        Dictionary(grouping: Set(names)) { $0.lowercased() }.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    /// One line for each element, with its number.
    private static func lines<Element>(_ elements: [Element], _ line: (Int, Element) -> String) -> String {
        elements.enumerated().map(line).joined(separator: "\n")
    }

    private static func list(_ names: [String], _ part: (String) -> String) -> String {
        names.map(part).joined(separator: " ")
    }

    // MARK: - Selections

    @Test func selectedFields() async throws {
        try await expectCompiles(
            Self.lines(Self.siblings) { index, names in
                """
                query Q\(index) {
                  hit { \(Self.list(names) { "\($0): text" }) }
                  other: hit { \(Self.list(names) { "\($0): hit { \($0): hit { \(names[0]): text } }" }) }
                  \(names[0]): hit { text node { ... on Hit { \(names[0]): hit { id } } } }
                }
                """
            })
    }

    @Test func labels() async throws {
        try await expectCompiles(
            Self.lines(Self.names) { index, name in
                "query Q\(index) { hit { ... @defer(label: \"\(name)\") { text hit { \(name): text } } } }"
            })
    }

    /// Fragments, and lists whose rows and cursors have the names. The struct of a fragment begins with a capital.
    @Test(arguments: 0..<3) func fragments(_ round: Int) async throws {
        let names = Self.siblings.compactMap { $0.dropFirst(round).first }.filter { $0 != "on" }
        try await expectCompiles(
            Self.lines(names) { index, name in
                let type = name.prefix(1).uppercased() + name.dropFirst()
                let alias = name.first?.isLetter == true ? "\(type): text" : ""
                return """
                    fragment \(name) on Hit { text hit { \(name): text } }
                    query Q\(index)($\(name): String, $\(type)x: String) {
                      changeCursor echo(text: $\(type)x)
                      hits(after: $\(name)) @live(changes: "S\(index)") {
                        edges { cursor node { ...\(name) } } pageInfo { hasNextPage endCursor }
                      }
                      hit { ...\(name) \(alias) other: hit { \(type): hit { \(name): text ... on Node { id } ...\(name)Next } } }
                    }
                    fragment \(name)Next on Hit { id }
                    subscription S\(index)($\(name): String!) {
                      changes(after: $\(name)) { kind nodeId cursor node { ...\(name) } }
                    }
                    """
            })
    }

    // MARK: - Operations

    /// An operation `live` must not take the name of the protocol `LiveQuery`, which the list conforms to. `LiveQuery` itself
    /// would be the struct of `live` too.
    @Test(arguments: OperationType.allCases) func operations(_ type: OperationType) async throws {
        let list = """
            query Listed($after: String) {
              changeCursor
              hits(after: $after) @live(changes: "OfListed") {
                edges { cursor node { ...Listing } } pageInfo { hasNextPage endCursor }
              }
            }
            subscription OfListed($after: String) { changes(after: $after) { kind nodeId cursor node { ...Listing } } }
            fragment Listing on Hit { text }

            """
        let selection =
            switch type {
            case .query: "echo"
            case .mutation: "write { id }"
            case .subscription: "changes { kind }"
            }
        let names = Self.siblings.map { $0[0] }.filter { !$0.hasSuffix("Query") && !$0.hasSuffix("Subscription") }
        try await expectCompiles(
            list + Self.lines(names) { _, name in "\(type.rawValue) \(name) { \(selection) }" })
    }

    @Test func variables() async throws {
        try await expectCompiles(
            Self.lines(Self.siblings) { index, names in
                """
                query Q\(index)(\(Self.list(names) { "$\($0): String" }), $\(names[0])_x: String!, $\(names[0])_y: Boolean! = true) {
                  \(Self.lines(names) { "v\($0): echo(text: $\($1))" })
                  other: echo(text: $\(names[0])_x) @include(if: $\(names[0])_y)
                  \(names[0]): hit { \(names[names.count - 1]): hit { id } }
                }
                """
            })
    }

    // MARK: - Types of the schema

    @Test func enumValues() async throws {
        let all = (Self.names + MeaningfulNames.capitals).filter(Self.isEnumValue)
        let enums = Self.siblings(all) + [Array(Set(all)).sorted()]
        try await expectCompiles(
            Self.lines(enums) { index, values in
                "query Q\(index)($x: [E\(index)]! = [\(values.joined(separator: ", "))]) { e\(index)(x: $x) }"
            },
            schema: "extend type Query {\n" + Self.lines(enums) { index, _ in "e\(index)(x: [E\(index)]): E\(index)" }
                + "\n}\n"
                + Self.lines(enums) { index, values in "enum E\(index) { \(values.joined(separator: " ")) }" })
    }

    @Test func inputFields() async throws {
        let inputs = Self.siblings + [Array(Self.names.prefix(150)), Array(Self.names.suffix(150))]
        try await expectCompiles(
            Self.lines(inputs) { index, _ in
                "query Q\(index)($i: I\(index)!, $o: O\(index)!) { e\(index)(i: $i, o: $o) }"
            },
            schema: "extend type Query {\n"
                + Self.lines(inputs) { index, _ in "e\(index)(i: I\(index), o: O\(index)): String" } + "\n}\n"
                + Self.lines(inputs) { index, names in
                    """
                    input I\(index) { \(Self.list(names) { "\($0): String \($0)Next: Boolean! = true" }) }
                    input O\(index) @oneOf { \(Self.list(names) { "\($0): String" }) }
                    """
                })
    }

    @Test func enums() async throws {
        let names = Self.typeNames
        try await expectCompiles(
            Self.lines(names) { index, name in
                """
                query Q\(index)($x: \(name)! = A, $\(name): [\(name)!]) {
                  e\(index)(x: $x, all: $\(name))
                  \(name): hit { \(name): number\(index) }
                }
                """
            },
            schema: "extend type Query {\n"
                + Self.lines(names) { index, name in "e\(index)(x: \(name), all: [\(name)!]): String" } + "\n}\n"
                + "extend type Hit {\n" + Self.lines(names) { index, name in "number\(index): \(name)" } + "\n}\n"
                + Self.lines(names) { _, name in "enum \(name) { A \(Self.isEnumValue(name) ? name : "") }" })
    }

    @Test(arguments: ["", "@oneOf"]) func inputs(_ directive: String) async throws {
        let names = Self.typeNames
        try await expectCompiles(
            Self.lines(names) { index, name in
                """
                query Q\(index)($x: \(name), $\(name): [\(name)!]) {
                  e\(index)(x: $x, all: $\(name))
                  \(name): hit { \(name): hit { \(name): text } }
                }
                """
            },
            schema: "extend type Query {\n"
                + Self.lines(names) { index, name in "e\(index)(x: \(name), all: [\(name)!]): String" } + "\n}\n"
                + Self.lines(names) { _, name in "input \(name) \(directive) { \(name): String x: \(name) }" })
    }

    @Test func objectTypes() async throws {
        let names = Self.typeNames
        try await expectCompiles(
            Self.lines(names) { index, name in
                "query Q\(index) { any { ... on \(name) { \(name) other: as\(name) { \(name) } } } }"
            },
            schema: "extend type Query { any: Every }\nunion Every = \(names.joined(separator: " | "))\n"
                + Self.lines(names) { _, name in "type \(name) { \(name): String as\(name): \(name) }" })
    }

    /// The names without those of GraphQL's scalars and of the schema's types.
    private static let typeNames = names.filter { name in
        ![
            "Boolean", "Change", "Edge", "Every", "Float", "Hit", "Hits", "ID", "Int", "Mutation", "Node", "PageInfo",
            "Query", "String", "Subscription",
        ].contains(name)
    }

    /// Spec: 2.10.6 Enum Value
    private static func isEnumValue(_ name: String) -> Bool { !["true", "false", "null"].contains(name) }
}
