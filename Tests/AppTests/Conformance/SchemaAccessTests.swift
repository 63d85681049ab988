import App
import GraphQL
import Testing

/// What clients may ask of the schema itself.
struct SchemaAccessTests {
    private let schema: ExecutableSchema<RequestContext>
    private let standard: IntrospectionSize

    init() throws {
        schema = try Domain.executableSchema()
        standard = try #require(try Self.figures(introspectionQuery, schema))
    }

    private static func figures(
        _ text: String, _ schema: ExecutableSchema<RequestContext>
    ) throws -> IntrospectionSize? {
        let operation = try PreparedOperation(parse(Source(text)), operationName: nil, schema: schema)
        return try operation.plan(for: operation.mask(for: [:])).introspection
    }

    /// The limits that one query exceeds.
    private func exceeded(_ text: String) throws -> [InputValue?] {
        let document = try parse(Source(text))
        #expect(validate(document, against: schema.schema).isEmpty)
        var metrics = try #require(measure(document, against: schema.schema))
        metrics.add(try #require(try Self.figures(text, schema)), standard: standard)
        var limits = QueryLimits()
        limits.introspectionSize = 2 * standard.bytes
        return limits.check(metrics).map { $0.extensions["limit"] }
    }

    /// With descriptions, specifiedBy, oneOf and the deprecation of inputs, 15 deep.
    @Test func theStandardQueryPasses() throws {
        #expect(try exceeded(introspectionQuery) == [])
    }

    @Test func whatRepeatsTheSchemaIsRefusedByItsCost() throws {
        let type = "type { kind name ofType { kind name } }"
        let aliases = (0..<30).map { "a\($0): \(type)" }.joined(separator: " ")
        let limits = try exceeded("{ __schema { types { fields { \(aliases) } } } }")
        #expect(limits == [.string("cost"), .string("introspectionSize")])
    }

    /// 2 KB of such were answered with 2.8 MB.
    @Test func whatMultipliesTheSchemaIsRefused() throws {
        let names = "kind name description"
        let field = "name description isDeprecated deprecationReason"
        let query = """
            { __schema { types { \(names) ...F
              fields { \(field) args { \(field) type { ...F } } type { ...F ofType { ...F ofType { ...F } } } } } } }
            fragment F on __Type { \(names)
              fields { \(field) args { \(field) } type { \(names) ofType { \(names) } } }
              possibleTypes { \(names) } interfaces { \(names) } enumValues { name description }
              inputFields { \(field) } }
            """
        #expect(try exceeded(query).contains(.string("introspectionSize")))
    }

    @Test func fewObjectsOfLongTextAreRefusedByTheirSize() throws {
        let aliases = (0..<30).map { String(repeating: "a", count: 120) + "\($0): name" }.joined(separator: " ")
        #expect(try exceeded("{ __schema { types { fields { \(aliases) } } } }") == [.string("introspectionSize")])
    }
}
