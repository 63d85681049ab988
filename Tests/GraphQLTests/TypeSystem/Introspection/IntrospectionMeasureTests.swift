import Testing

@testable import GraphQL

/// What the answer to introspection will be is known to the byte before it is built.
@Suite struct IntrospectionMeasureTests {
    /// The answer's `data`, around the value of the one root field.
    private func size(of introspection: IntrospectionSize, _ responseName: String) -> Int {
        "{\"data\":{\"\(responseName)\":}}".utf8.count + introspection.bytes
    }

    @Test(arguments: [
        "{ __schema { __typename types { __typename } } }",
        "{ __schema { types { kind name description specifiedByURL isOneOf } } }",
        "{ __schema { types { f: fields(includeDeprecated: true) { name description isDeprecated deprecationReason } } } }",
        "{ __schema { types { fields { __typename args { name description defaultValue isDeprecated type { name } } } } } }",
        "{ __schema { types { fields { type { kind name ofType { kind name ofType { kind name } } } } } } }",
        "{ __schema { types { fields { type { fields { type { fields { name description } } } } } } } }",
        "{ __schema { types { interfaces { name } possibleTypes { name fields { name } } enumValues { name } } } }",
        "{ __schema { types { inputFields(includeDeprecated: false) { name defaultValue deprecationReason } } } }",
        "{ __schema { directives { name description isRepeatable locations args { name type { name } } } } }",
        "{ __schema { description queryType { name } mutationType { name } subscriptionType { fields { name } } } }",
        "{ __schema { ...A ...A types { name } } } fragment A on __Schema { types { ...B ...B } } fragment B on __Type { a: name name }",
        "{ __schema { types @skip(if: true) { name } queryType { name @include(if: false) kind } } }",
    ])
    func theSizeIsThatOfTheAnswer(_ query: String) async throws {
        let figures = try #require(try Fixture.plan(query).introspection)
        #expect(figures.isWholeAnswer)
        #expect(size(of: figures, "__schema") == (try await Fixture.respond(query)).body.count)
    }

    @Test func theStandardQueryIsMeasuredToTheByte() async throws {
        let figures = try #require(try Fixture.plan(introspectionQuery).introspection)
        let body = try await Fixture.execute(introspectionQuery)
        #expect(size(of: figures, "__schema") == body.utf8.count)
        // Every object has a kind, or is a field, an argument, an enum value, a directive or the schema itself.
        #expect(figures.objects == body.split(separator: "{").count - 2)
    }

    @Test func aTypeIsMeasuredByItsName() async throws {
        for name in ["Thought", "Category", "ID", "Nobody"] {
            let query = "{ __type(name: \"\(name)\") { name fields { name type { name } } } }"
            let figures = try #require(try Fixture.plan(query).introspection)
            let body = try await Fixture.execute(query)
            // A type that is not there is null.
            #expect(size(of: figures, "__type") + (figures.objects == 0 ? 4 : 0) == body.utf8.count)
        }
    }

    @Test func aTypeThatAVariableNamesIsTheLongest() throws {
        let named = try #require(
            try Fixture.plan("query($n: String!) { __type(name: $n) { name fields { name } } }").introspection)
        for type in try Fixture.schema().schema.types {
            let query = "{ __type(name: \"\(type.name)\") { name fields { name } } }"
            #expect(try #require(try Fixture.plan(query).introspection).bytes <= named.bytes)
        }
    }

    @Test func whatElseIsAskedForIsNoneOfIt() throws {
        #expect(try Fixture.plan("{ now __typename }").introspection == nil)
        let mixed = try #require(try Fixture.plan("{ now __schema { queryType { name } } }").introspection)
        #expect(!mixed.isWholeAnswer)
        #expect(mixed.objects == 2)
    }

    @Test func theCostIsRelativeToTheStandardQuery() {
        let standard = IntrospectionSize(objects: 1_000, bytes: 100_000)
        var metrics = QueryMetrics()
        metrics.cost = 3
        metrics.add(standard, standard: standard)
        #expect(metrics.cost == 503)
        #expect(QueryLimits(introspectionSize: 100_000).check(metrics).isEmpty)
        metrics.add(IntrospectionSize(objects: 3_001, bytes: 1), standard: standard)
        #expect(metrics.cost == 2_004)
        let errors = QueryLimits(introspectionSize: 100_000).check(metrics)
        #expect(
            errors.map { $0.extensions["limit"] } == [.string("cost"), .string("introspectionSize")])
    }
}
