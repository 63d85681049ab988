import GraphQL
import Testing

@testable import TertuliaGenerate

@Suite struct GeneratedCodeTests {
    private static let schema = """
        directive @semanticNonNull(levels: [Int!] = [0]) on FIELD_DEFINITION
        scalar Money
        scalar Instant @specifiedBy(url: "https://scalars.graphql.org/andimarek/date-time.html")
        enum Colour { RED DARK_BLUE unknown default _3D }
        type Query { node(id: ID!): Node shop: Shop things: [Thing!]! prices: [[Money]] at: Instant date: Day }
        interface Node { id: ID! }
        type Shop implements Node { id: ID! name: String @semanticNonNull colours: [Colour!] tags: [String] @semanticNonNull(levels: [0, 1]) codes: [String] @semanticNonNull(levels: 1) }
        type Day { number: Int! }
        union Thing = Shop | Day
        input Point { x: Float! y: Float! = 0.5 label: String = "a" inner: Point }
        input By @oneOf { id: ID name: String }
        type Mutation { paint(colour: Colour! = RED, at: Point, by: By, all: [Colour!]! = [RED, DARK_BLUE]): Shop }
        """

    private func generate(_ document: String, _ options: GenerationOptions = .init()) throws -> String {
        try generateSwift(
            schema: [Source(Self.schema, name: "schema.graphql")], documents: [Source(document, name: "a.graphql")],
            options: options
        ).source
    }

    @Test func nullabilityIsTheSchemas() throws {
        let code = try generate("query A { shop { name tags colours } prices at }")
        #expect(code.contains("var name: String\n"))
        #expect(code.contains("var tags: [String]\n"))
        #expect(code.contains("var colours: [Colour]?\n"))
        #expect(code.contains("var prices: [[JSONValue?]?]?\n"))
        #expect(code.contains("var at: Date?\n"))
    }

    /// Spec: 3.11 List, Input Coercion
    @Test func oneLevelStandsForAListOfIt() throws {
        #expect(try generate("query A { shop { codes } }").contains("var codes: [String]?\n"))
    }

    @Test func aConditionMakesATypenameOptional() throws {
        let code = try generate(
            "query A($x: Boolean!) { __typename @include(if: $x) shop { kind: __typename @skip(if: $x) name } }")
        #expect(code.contains("var typename: String?\n"))
        #expect(code.contains("var kind: String?\n"))
        #expect(try generate("query A { __typename shop { __typename name } }").contains("typename: String\n"))
    }

    /// The field is `Node`'s, which every member of the union is and the union itself does not have.
    @Test func aFragmentOnAnInterfaceOfAllMembersHasItsFields() throws {
        let code = try generateSwift(
            schema: [
                Source(
                    """
                    type Query { things: [Thing!]! }
                    interface Priced { price: Int! }
                    type Book implements Priced { price: Int! }
                    type Toy implements Priced { price: Int! }
                    union Thing = Book | Toy
                    """)
            ], documents: [Source("query A { things { ... on Priced { price } } }")]
        ).source
        #expect(code.contains("var price: Int\n"))
    }

    @Test func aConditionMakesAFieldOptional() throws {
        let code = try generate("query A($x: Boolean!) { things @include(if: $x) { __typename } }")
        #expect(code.contains("var things: [Things]?\n"))
        #expect(code.contains(".conditional([[.include(\"x\")]], .field(\"things\", Things.selection))"))
    }

    @Test func whatIsSelectedWithoutAConditionTooIsThere() throws {
        let code = try generate("query A($x: Boolean!) { shop { name } shop @skip(if: $x) { tags } }")
        #expect(code.contains("var shop: Shop?\n"))
        #expect(code.contains("var name: String\n"))
        #expect(code.contains("var tags: [String]?\n"))
    }

    @Test func fragmentsAreProperties() throws {
        let code = try generate(
            "query A { things { ...S ... on Day { number } } node(id: \"1\") { ...N } } fragment S on Shop { name } fragment N on Node { id }"
        )
        #expect(code.contains("var s: S?\n"))
        #expect(code.contains("s = try object.isOne(of: [\"Shop\"]) ? S(object) : nil\n"))
        #expect(code.contains("var asDay: AsDay?\n"))
        #expect(code.contains("var n: N\n"))
        #expect(code.contains("n = try N(object)\n"))
    }

    /// A union has no field `id`: its members' are asked for one by one.
    @Test func everyObjectIsIdentified() throws {
        let code = try generate("query A { things { ... on Day { number } } shop { name } }")
        #expect(code.contains(".on([\"Shop\"], SelectionSet([.field(\"id\")]))"))
        #expect(code.contains("    ... on Shop {\n"))
        #expect(!code.contains("asShop"))
    }

    @Test func enumsKnowThatTheyDoNotKnowAll() throws {
        let code = try generate("query A { shop { colours } }")
        for line in [
            "case red\n", "case darkBlue\n", "case unknown_\n", "case `default`\n", "case _3d\n",
            "case unknown(String)\n",
            "case \"DARK_BLUE\": self = .darkBlue\n", "default: self = .unknown(rawValue)\n",
        ] { #expect(code.contains(line), "\(line)") }
    }

    @Test func inputsHaveTheSchemasDefaults() throws {
        let code = try generate(
            "mutation A($c: Colour! = DARK_BLUE, $p: Point, $b: By!) { paint(colour: $c, at: $p, by: $b) { name } }")
        #expect(code.contains("c: Colour = .darkBlue,\n"))
        #expect(code.contains("p: Given<Point> = .absent,\n"))
        #expect(code.contains("x: Double,\n"))
        #expect(code.contains("y: Double = 0.5,\n"))
        #expect(code.contains("label: Given<String> = .absent,\n"))
        #expect(code.contains("inner: Given<Point> = .absent\n"))
        #expect(code.contains("indirect enum By: InputObjectValue {\n"))
        #expect(code.contains("case .id(let value): [InputField(\"id\", value)]\n"))
    }

    /// A fragment without fields of its own is looked for by those of its fragments.
    @Test func aConditionalFragmentIsReadWhereAllOfItIsThere() throws {
        let code = try generate(
            """
            query A($x: Boolean!) { shop { ...Outer @include(if: $x) ... @defer(label: "late") { ...Inner } } }
            fragment Outer on Shop { ...Inner }
            fragment Inner on Shop { name }
            """)
        #expect(code.contains("outer = try object.has(Outer.selection) ? Outer(object) : nil\n"))
        #expect(code.contains("late = try object.has(Late.selection) ? Late(object) : nil\n"))
    }

    @Test func scalarsHaveTheTypesThatTheCallerGives() throws {
        let code = try generate("query A { prices }", GenerationOptions(isPublic: true, scalars: ["Money": "Decimal"]))
        #expect(code.contains("public var prices: [[Decimal?]?]?\n"))
    }

    /// `Date` is a type that the code uses: a struct of that name would hide it.
    @Test func aStructHidesNoOtherType() throws {
        let code = try generate("query A { at date { number } }")
        #expect(code.contains("var date: DateObject?\n"))
    }

    @Test(arguments: [
        ("query A {\n  shop { nme }\n}", "a.graphql:2:10: error: Cannot query field \"nme\" on type \"Shop\"."),
        ("query A {\n  shop { id: name }\n}", "a.graphql:2:10: error: \"id\" is the store's name"),
        ("{ shop { name } }", "a.graphql:1:1: error: The operation needs a name"),
        ("query A { shop {", "a.graphql:1:17: error: Syntax Error"),
        (
            "query A { shop { s: name ...S } } fragment S on Shop { id }",
            "error: Two selections become the property \"s\""
        ),
        ("query A { shop { id } } fragment Colour on Shop { colours }", "error: Another Swift type is called Colour"),
        (
            "query A { shop { ... @defer { name } } }",
            "a.graphql:1:22: error: @defer on an inline fragment needs a label"
        ),
    ])
    func mistakesHaveTheirPlace(_ document: String, _ problem: String) throws {
        let error = #expect(throws: GenerationFailure.self) { try generate(document) }
        #expect(try #require(error).description.contains(problem), "\(String(describing: error))")
    }

    /// A newline of any kind would end the comment, and the rest would be Swift.
    @Test(arguments: ["\\n", "\\r", "\\r\\n", "\\u000B", "\\f", "\\u0085", "\\u2028", "\\u2029"])
    func aDescriptionStaysAComment(_ newline: String) throws {
        let description = "\"First\(newline)func second() {}\(newline)\(newline)Third\""
        let code = try generateSwift(
            schema: [Source("type Query { shop: Shop } type Shop { \(description) name: String }")],
            documents: [Source("query A { shop { name } }")]
        ).source
        #expect(
            code.contains(
                "            /// First\n            /// func second() {}\n            ///\n            /// Third\n"))
    }

    @Test func aMistakeInTheSchemaHasItsPlace() throws {
        let error = #expect(throws: GenerationFailure.self) {
            try generateSwift(
                schema: [
                    Source("type Query { a: Int }\n", name: "a.graphql"),
                    Source("type A { a: Int }\n\ntype B { b: Nothing }\ntype A { a: Int }", name: "b.graphql"),
                ], documents: [Source("query A { a }")])
        }
        let problems = try #require(error).description.split(separator: "\n")
        #expect(problems.contains { $0.hasPrefix("b.graphql:3:13: error: Unknown type \"Nothing\".") }, "\(problems)")
        #expect(
            problems.contains {
                $0.hasPrefix("b.graphql:1:6: error: There can be only one type named \"A\".")
                    && $0.hasSuffix(" (b.graphql:4:6)")
            }, "\(problems)")
    }

    @Test func aSchemaThatDoesNotParseHasItsPlace() throws {
        let error = #expect(throws: GenerationFailure.self) {
            try generateSwift(
                schema: [
                    Source("type Query { a: Int }\n", name: "a.graphql"), Source("\ntype {", name: "b.graphql"),
                ], documents: [Source("query A { a }")])
        }
        #expect(try #require(error).description.hasPrefix("b.graphql:2:6: error: Syntax Error"))
    }

    @Test func aMistakeInTheSecondFileIsCountedThere() throws {
        let error = #expect(throws: GenerationFailure.self) {
            try generateSwift(
                schema: [Source(Self.schema)],
                documents: [
                    Source("query A { shop { name } }\n", name: "a.graphql"),
                    Source("\nquery B { nothing }", name: "b.graphql"),
                ])
        }
        #expect(try #require(error).description.hasPrefix("b.graphql:2:11: error: Cannot query field"))
    }
}
