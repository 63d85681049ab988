import Testing

@testable import GraphQL

@Suite struct QueryLimitsTests {
    private func metrics(_ document: String) throws -> QueryMetrics {
        try #require(measure(parse(Source(document)), against: PetSchema.schema.get()))
    }

    private func exceeded(_ document: String) throws -> [InputValue?] {
        QueryLimits().check(try metrics(document)).map { $0.extensions["limit"] }
    }

    @Test(arguments: [
        ("{ __typename }", 1), ("{ dog { name } }", 2),
        ("{ dog { ... { ...F } } } fragment F on Dog { owner { name } }", 3),
        ("{ __schema { types { fields { type { name } } } } }", 1),
        ("{ ...F } fragment F on Query { ...F dog { name } }", 2),
    ])
    func depth(document: String, expected: Int) throws {
        #expect(try metrics(document).depth == expected)
    }

    @Test func figuresStandBesideTheirLimits() throws {
        let figures = QueryLimits().figures(of: try metrics("{ a: dog { name } }"))
        #expect(figures.fields.map(\.name) == ["depth", "aliases", "rootFields", "directives", "cost"])
        #expect(
            figures["aliases"]
                == .object(InputObject([(name: "actual", value: .int(1)), (name: "maximum", value: .int(30))])))
    }

    @Test func aliasesOfAFragmentCountOnce() throws {
        let document = "{ a: dog { ...F ...F b: name } } fragment F on Dog { c: name } fragment G on Dog { d: name }"
        #expect(try metrics(document).aliases == 3)
    }

    @Test func rootFieldsAreResponseNames() throws {
        #expect(
            try metrics(
                "{ dog { name } ...F ... { pet { name } } } fragment F on Query { dog { name } a: pet { name } }"
            ).rootFields == 3)
    }

    @Test func directivesOfTheFullestPlace() throws {
        #expect(
            try metrics("{ dog @label(text: \"a\") { ...F @skip(if: true) } } fragment F on Dog { name @a @b @c }")
                .directives == 3)
    }

    @Test func introspectionHasBoundsOfItsOwn() throws {
        func lists(_ count: Int) -> String {
            "{ __schema { types { " + String(repeating: "fields { type { ", count: count) + "name"
                + String(repeating: "} } ", count: count) + "} } }"
        }
        func wrappers(_ count: Int) -> String {
            "{ __type(name: \"Dog\") { " + String(repeating: "ofType { ", count: count) + "name"
                + String(repeating: "} ", count: count) + "} }"
        }
        #expect(try exceeded(lists(3)) == [])
        #expect(try exceeded(lists(4)) == [.string("introspectionDepth")])
        #expect(try exceeded(wrappers(10)) == [])
        #expect(try exceeded(wrappers(11)) == [.string("introspectionDepth")])
    }

    @Test func eachLimitThatIsExceededIsNamed() throws {
        let deep = String(repeating: "owner { pets { ... on Dog { ", count: 6)
        let document =
            "{ " + (0..<31).map { "a\($0): dog { name }" }.joined(separator: " ")
            + " dog @label @label @label @label @label { \(deep) name" + String(repeating: " } } }", count: 6) + " } }"
        let errors = QueryLimits(cost: 30).check(try metrics(document))
        #expect(
            errors.map { $0.extensions["limit"] } == [
                .string("depth"), .string("aliases"), .string("rootFields"), .string("directives"), .string("cost"),
            ])
        #expect(errors.allSatisfy { $0.extensions["code"] == .string("QUERY_TOO_COMPLEX") })
        #expect(errors[1].extensions["maximum"] == .int(30) && errors[1].extensions["actual"] == .int(31))
        #expect(errors[0].message == "The operation's depth is 14, but at most 12 is allowed.")
    }

    @Test func figuresAtTheLimitPass() throws {
        #expect(try exceeded("{ " + (0..<20).map { "a\($0): dog { name }" }.joined(separator: " ") + " }") == [])
    }

    @Test func theOperationThatRunsIsMeasured() throws {
        let measure = QueryMeasure(
            try parse(Source("query A { dog { name } } query B { dog { owner { name } } }")),
            against: try PetSchema.schema.get())
        #expect(measure.metrics(of: "A")?.depth == 2)
        #expect(measure.metrics(of: "B")?.depth == 3)
        #expect(measure.metrics(of: "C") == nil)
    }
}
