import GraphQL
import Testing

@testable import TertuliaGenerate

/// The names that Swift gets for names that are taken there. `CompiledNamesTests` compiles such names.
@Suite struct NamesTests {
    private static let schema = """
        enum Data { ALL_CASES RED red unknown UNKNOWN self none in _ }
        input Given { self: String inputFields: Int isAbsent: Boolean! InputField: ID }
        input GivenInput { in: Given }
        input By @oneOf { self: ID inputFields: String InputField: Int }
        enum order_by { asc desc }
        type Query {
          object: Hit data(x: Data, given: Given, other: GivenInput, by: By, order: order_by): Data
          all(in: [Data!]! = [ALL_CASES, RED, self], some: [Data]! = [none]): Hit
        }
        type Hit { id: ID! text: String hit: Hit }
        """

    private func generate(_ document: String) throws -> String {
        try generateSwift(
            schema: [Source(Self.schema, name: "schema.graphql")], documents: [Source(document, name: "a.graphql")]
        ).source
    }

    private func expect(_ code: String, _ lines: String..., at place: Testing.SourceLocation = #_sourceLocation) {
        for line in lines { #expect(code.contains(line + "\n"), "\(line)", sourceLocation: place) }
    }

    @Test func propertiesOfSelections() throws {
        let code = try generate("query A { object { object: text self: text self_: text SelectionSet: text _: text } }")
        expect(
            code, "var object: String?", "self.object = try object.read(\"object\")", "var self__: String?",
            "self.self__ = try object.read(\"self\")", "var self_: String?", "var SelectionSet_: String?",
            "var __: String?")
    }

    @Test func structsOfSelections() throws {
        let code = try generate(
            "query A { object { data: hit { text } Data: hit { text } Feed: text feed: hit { text } _count: hit { text } } }"
        )
        expect(
            code, "var data: DataObject?", "var Data: DataObjectObject?", "struct DataObject: SelectedObject {",
            "struct DataObjectObject: SelectedObject {", "var Feed: String?", "var feed: FeedObject?",
            "var _count: _Count?", ".field(\"hit\", alias: \"Data\", DataObjectObject.selection),")
    }

    /// A property of the fragment's name would stand before the struct.
    @Test func fragments() throws {
        let code = try generate(
            """
            query A { object { ...Row ...rowFields RowFields: text } }
            fragment Row on Hit { text }
            fragment rowFields on Hit { text }
            """)
        expect(
            code, "struct RowFragment: SelectedObject {", "var row: RowFragment", "struct RowFields: SelectedObject {",
            "var rowFields: RowFields", "self.rowFields = try RowFields(object)", "var RowFields_: String?")
    }

    @Test func variables() throws {
        let code = try generate(
            "query A($self: Data, $variableFields: Data, $Data: Data, $in: Data) { a: data(x: $self) b: data(x: $variableFields) c: data(x: $Data) d: data(x: $in) }"
        )
        expect(
            code, "self_: Given<DataEnum> = .absent,", "self.self_ = self_", "InputField(\"self\", self_),",
            "var variableFields_: Given<DataEnum>", "var Data_: Given<DataEnum>", "self.`in` = `in`")
    }

    /// An input says of itself by `isAbsent` that it is not to be sent.
    @Test func inputs() throws {
        let code = try generate(
            "query A($g: Given, $i: GivenInput, $b: By, $o: order_by) { data(given: $g, other: $i, by: $b, order: $o) }"
        )
        expect(
            code, "struct GivenInputInput: InputObjectValue {", "struct GivenInput: InputObjectValue {",
            "var `in`: Given<GivenInputInput>", "InputField(\"self\", self_),",
            "InputField(\"inputFields\", inputFields_),",
            "InputField(\"isAbsent\", isAbsent_),", "InputField(\"InputField\", InputField_),",
            "case self_(String)", "case .inputFields_(let value): [InputField(\"inputFields\", value)]",
            "case InputField_(Int)", "enum order_by: GraphQLEnum {", "var o: Given<order_by>")
    }

    @Test func enumCases() throws {
        let code = try generate("query A { data }")
        expect(
            code, "enum DataEnum: GraphQLEnum {", "case ALL_CASES_", "case RED_", "case red_", "case unknown_",
            "case UNKNOWN_",
            "case self_", "case none", "case `in`", "case __", "case \"ALL_CASES\": self = .ALL_CASES_",
            "var data: DataEnum?")
    }

    /// `.none` among optional values would be Swift's.
    @Test func defaultsAreTheCases() throws {
        let code = try generate(
            "query A($in: [Data!]! = [ALL_CASES, RED, self], $some: [Data]! = [none]) { all(in: $in, some: $some) { text } }"
        )
        expect(
            code, "`in`: [DataEnum] = [.ALL_CASES_, .RED_, .self_],", "`some`: [DataEnum?] = [.some(.none)]")
    }

    @Test func operations() throws {
        let code = try generate("query live { object { text } } query _a { object { text } }")
        expect(code, "struct LiveQueryQuery: QueryOperation {", "struct _aQuery: QueryOperation {")
    }

    /// A scalar's type is the caller's, and no type of this file has its name.
    @Test func typesOfScalars() async throws {
        let schema =
            "scalar Amount scalar Day enum Money { A } enum Foundation { A } "
            + "type Query { amount: Amount day: Day money: Money foundation: Foundation date: Query }"
        let document = "query A { amount day money foundation money2: date { amount } Money: date { amount } }"
        let code = try generateSwift(
            schema: [Source(schema)], documents: [Source(document)],
            options: GenerationOptions(scalars: ["Amount": "[Money]", "Day": "Foundation.Date"])
        ).source
        expect(
            code, "var amount: [Money]?", "var day: Foundation.Date?", "var money: MoneyEnum?",
            "var foundation: FoundationEnum?", "var Money: MoneyObject?")
        #expect(
            try await SwiftCompiler.problems(
                in: code + "struct Money: ScalarValue { init(output: JSONValue) {}\n"
                    + "func encode(_ encoder: inout InputEncoder) -> JSONValue { .null } }") == [])
        for (type, problem) in [
            ("Data", "error: Data, the type of the scalar Amount, is a type of every operation: name its module, too."),
            ("[Row?]", "error: Row, the type of the scalar Amount"),
        ] {
            let error = #expect(throws: GenerationFailure.self) {
                try generateSwift(
                    schema: [Source(schema)], documents: [Source(document)],
                    options: GenerationOptions(scalars: ["Amount": type]))
            }
            #expect(try #require(error).description.hasPrefix(problem))
        }
    }

    @Test(arguments: [
        (
            "query A { object { ...row } } fragment row on Hit { text } fragment Row on Hit { text }",
            "a.graphql:1:69: error: Another Swift type is called RowFragment"
        ),
        (
            "query a { object { text } } query A { object { text } }",
            "a.graphql:1:35: error: Another Swift type is called AQuery"
        ),
        (
            "query A { object { ...s S: text s: text } } fragment s on Hit { text }",
            "a.graphql:1:33: error: Two selections become the property \"s\""
        ),
        (
            "query A { object { ... @defer(label: \"my label\") { text } } }",
            "a.graphql:1:38: error: The label of @defer has to be a name"
        ),
        (
            "query A { object { ... @defer(label: \"\") { text } } }",
            "a.graphql:1:38: error: The label of @defer has to be a name"
        ),
    ])
    func aNameThatIsNotMappedIsRefused(_ document: String, _ problem: String) throws {
        let error = #expect(throws: GenerationFailure.self) { try generate(document) }
        #expect(try #require(error).description.hasPrefix(problem), "\(String(describing: error))")
    }
}

/// Texts and numbers that Swift does not take as GraphQL writes them.
@Suite struct LiteralTests {
    private func generate(_ schema: String, _ document: String) throws -> String {
        try generateSwift(schema: [Source(schema)], documents: [Source(document, name: "a.graphql")]).source
    }

    @Test func descriptionsStayComments() async throws {
        let code = try generate("type Query { \"a\\rlet b = 1\\u0000\\u2028c\" hit: String }", "query A { hit }")
        #expect(code.contains("        /// a\n        /// let b = 1\n        /// c\n        var hit: String?\n"))
        #expect(try await SwiftCompiler.problems(in: code) == [])
    }

    @Test func controlCharactersOfADocumentAreEscaped() async throws {
        let code = try generate(
            "type Query { hit(a: String): String }",
            "\"\"\"\na\u{0}b\u{7F}\n\"\"\" query A { hit(a: \"\"\"c\u{1}\"\"\") }")
        #expect(code.contains("static let document = \"\\\"\\\"\\\"a\\u{0}b\\u{7f}"))
        #expect(code.contains("(\"a\", .string(\"c\\u{1}\"))"))
        #expect(try await SwiftCompiler.problems(in: code) == [])
    }

    private static let numbers = [
        "7", "-0", "9223372036854775807", "9223372036854775808", "123456789012345678901234567890", "9007199254740993",
        "0.1", "-1.5E3", "1e9", "0e400", "1e400", "1e-400", "0.1e-310",
    ]

    /// A store tells fields by their arguments.
    @Test func numbersOfArguments() async throws {
        let code = try generate(
            "scalar Big type Query { hit(a: Big): String }",
            "query A { \(Self.numbers.enumerated().map { "n\($0): hit(a: \($1))" }.joined(separator: " ")) }")
        for number in Self.numbers.prefix(3) { #expect(code.contains(".int(\(number))")) }
        for number in Self.numbers[3...4] { #expect(code.contains(".string(\"\(number)\")")) }
        for number in Self.numbers[6...9] { #expect(code.contains(".float(\(number))")) }
        for number in Self.numbers[10...] { #expect(code.contains(".string(\"\(number)\")")) }
        #expect(try await SwiftCompiler.problems(in: code) == [])
    }

    @Test(arguments: ["Double", "Int"]) func aDefaultThatSwiftDoesNotHoldIsTheServers(_ type: String) async throws {
        let variables = Self.numbers.enumerated().map { "$n\($0): Big! = \($1)" }.joined(separator: " ")
        let uses = Self.numbers.indices.map { "n\($0): hit(a: $n\($0))" }.joined(separator: " ")
        let code = try generateSwift(
            schema: [Source("scalar Big type Query { hit(a: Big!): String }")],
            documents: [Source("query A(\(variables)) { \(uses) }")], options: GenerationOptions(scalars: ["Big": type])
        ).source
        #expect(code.contains("n0: \(type) = 7,\n"))
        #expect(code.contains("n3: Given<\(type)> = .absent,\n"))
        #expect(code.contains(type == "Int" ? "n5: Int = 9007199254740993,\n" : "n5: Given<Double> = .absent,\n"))
        #expect(try await SwiftCompiler.problems(in: code) == [])
    }

    /// The compiler reads scalars: a mark that combines with a fence leaves the fence as it is.
    @Test func aFenceMayCarryAMark() async throws {
        let code = try generate(
            "type Query { hit(a: String): String }", "query A { hit(a: \"\"\"#\u{308} \\##\u{308}(b)\"\"\") }")
        #expect(code.contains("static let document = ###\"\"\"\n"))
        #expect(try await SwiftCompiler.problems(in: code) == [])
    }
}
