import GraphQL
import Testing

@testable import TertuliaGenerate

@Suite struct DefaultsTests {
    private static let schema = """
        scalar Money
        enum Order { NEW OLD }
        enum Awkward { FOO_BAR fooBar UNKNOWN unknown unknown_ RAW_VALUE DEFAULT plain }
        input Filter { min: Int! text: String = "a" order: Order! = OLD awkward: Awkward! = UNKNOWN }
        type Query { feed(order: Order, filter: Filter, price: Money, ids: [ID!], awkward: Awkward): [Item!]! }
        type Item { id: ID! name: String! }
        """

    private func generate(_ document: String) throws -> String {
        try generateSwift(schema: [Source(Self.schema)], documents: [Source(document, name: "a.graphql")]).source
    }

    /// The store knows the variables that are sent, and no others: a condition and the key of a field hang on them.
    @Test(arguments: [
        ("$x: Order = NEW", "feed(order: $x)", "Order", ".string(\"NEW\")"),
        ("$x: Order = null", "feed(order: $x)", "Order", ".null"),
        (
            "$x: Filter = { min: 1, text: null }", "feed(filter: $x)", "Filter",
            ".object([(\"min\", .int(1)), (\"text\", .null)])"
        ),
        ("$x: Filter! = { min: 1 }", "feed(filter: $x)", "Filter", ".object([(\"min\", .int(1))])"),
        ("$x: Money! = EUR", "feed(price: $x)", "JSONValue", ".string(\"EUR\")"),
        ("$x: [ID!] = [\"a\", 1]", "feed(ids: $x)", "[String]", ".list([.string(\"a\"), .int(1)])"),
    ])
    func theDefaultOfAVariableIsSent(_ variable: String, _ field: String, _ type: String, _ sent: String) throws {
        let code = try generate("query A(\(variable)) { \(field) { name } }")
        #expect(code.contains("x: Given<\(type)> = .absent\n"))
        #expect(code.contains("InputField(\"x\", x, default: \(sent)),\n"))
    }

    /// A default that the initialiser gives is sent already, and the server's own defaults are the same for all.
    @Test func nothingElseIsSent() throws {
        let code = try generate("query A($x: Order! = NEW, $y: Filter) { feed(order: $x, filter: $y) { name } }")
        #expect(code.contains("x: Order = .new,\n"))
        #expect(!code.contains("default: ."))
        #expect(code.contains("InputField(\"y\", y),\n"))
        #expect(code.contains("text: Given<String> = .absent,\n"))
    }

    @Test func theCasesOfAnEnumDiffer() throws {
        let code = try generate("query A($x: Awkward) { feed(awkward: $x) { name } }")
        let cases = [
            "FOO_BAR_", "fooBar_", "UNKNOWN_", "unknown_", "unknown__", "RAW_VALUE_", "`default`", "plain",
        ]
        let all = cases.map { ".\($0)" }.joined(separator: ", ")
        #expect(code.contains("static let allCases: [Awkward] = [\(all)]\n"))
    }

    @Test(arguments: [
        ("FOO_BAR", "FOO_BAR_"), ("fooBar", "fooBar_"), ("UNKNOWN", "UNKNOWN_"), ("unknown_", "unknown__"),
        ("DEFAULT", "`default`"), ("plain", "plain"),
    ])
    func anEnumsDefaultIsTheCaseThatIsWritten(_ value: String, _ name: String) throws {
        let code = try generate("query A($x: Awkward! = \(value)) { feed(awkward: $x) { name } }")
        #expect(code.contains("x: Awkward = .\(name)\n"))
        #expect(code.contains("case \"\(value)\": self = .\(name)\n"))
    }

    @Test func anInputsDefaultIsTheCaseThatIsWritten() throws {
        let code = try generate("query A($x: Filter) { feed(filter: $x) { name } }")
        #expect(code.contains("awkward: Awkward = .UNKNOWN_\n"))
        #expect(code.contains("order: Order = .old,\n"))
    }
}
