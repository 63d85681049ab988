import Testing

@testable import GraphQL

@Suite struct IntrospectionTests {
    private let schema: Schema

    init() throws {
        let text = """
            "About." schema { query: Root mutation: Change }
            type Root implements Node @tagged {
              "By its key."
              id: ID!
              find(by: By, first: Int = 20, old: Int @deprecated(reason: "unused")): [[Node!]!] @deprecated
            }
            type Change { do(order: Order! = NEWEST): Boolean }
            interface Node { id: ID! }
            union Either = Root | Change
            enum Order { NEWEST OLDEST @deprecated(reason: "slow") }
            input By @oneOf { id: ID old: String @deprecated }
            input Filter { first: Int! = 3 names: [String] = ["a", "b"] }
            "An instant." scalar Date @specifiedBy(url: "https://example.org")
            directive @tagged(name: String = "x") repeatable on OBJECT | FIELD
            """
        schema = try buildSchema(try parse(Source(text)))
    }

    private func data(_ query: String) async throws -> String {
        String(decoding: try await introspect(schema, Source(query)).body, as: UTF8.self)
    }

    @Test func tellsOfTheSchema() async throws {
        #expect(
            try await data(
                "{ __schema { description queryType { name } mutationType { name } subscriptionType { name } } }")
                == #"{"data":{"__schema":{"description":"About.","queryType":{"name":"Root"},"#
                + #""mutationType":{"name":"Change"},"subscriptionType":null}}}"#)
    }

    @Test func listsEveryTypeThatIsReferredTo() async throws {
        let names = try await data("{ __schema { types { name } } }")
        for type in ["Int", "Date", "Filter", "__TypeKind", "Either"] {
            #expect(names.contains("{\"name\":\"\(type)\"}"))
        }
        #expect(!names.contains("Float"))
    }

    @Test func givesNullForATypeThatIsNotThere() async throws {
        #expect(try await data(#"{ __type(name: "Nobody") { name } }"#) == #"{"data":{"__type":null}}"#)
    }

    @Test func tellsOfEachKind() async throws {
        let query = """
            { a: __type(name: "Root") { ...K } b: __type(name: "Node") { ...K } c: __type(name: "Either") { ...K }
              d: __type(name: "Order") { ...K } e: __type(name: "By") { ...K } f: __type(name: "Date") { ...K }
              g: __type(name: "Filter") { isOneOf } }
            fragment K on __Type {
              kind name description specifiedByURL isOneOf fields { name } interfaces { name } possibleTypes { name }
              enumValues { name } inputFields { name } ofType { name }
            }
            """
        let rest = { (fields: String) in fields + "\"ofType\":null}" }
        #expect(
            try await data(query) == #"{"data":{"a":{"kind":"OBJECT","name":"Root","description":null,"#
                + #""specifiedByURL":null,"isOneOf":null,"fields":[{"name":"id"}],"interfaces":[{"name":"Node"}],"#
                + rest(#""possibleTypes":null,"enumValues":null,"inputFields":null,"#)
                + #","b":{"kind":"INTERFACE","name":"Node","description":null,"specifiedByURL":null,"isOneOf":null,"#
                + #""fields":[{"name":"id"}],"interfaces":[],"possibleTypes":[{"name":"Root"}],"#
                + rest(#""enumValues":null,"inputFields":null,"#)
                + #","c":{"kind":"UNION","name":"Either","description":null,"specifiedByURL":null,"isOneOf":null,"#
                + #""fields":null,"interfaces":null,"possibleTypes":[{"name":"Root"},{"name":"Change"}],"#
                + rest(#""enumValues":null,"inputFields":null,"#)
                + #","d":{"kind":"ENUM","name":"Order","description":null,"specifiedByURL":null,"isOneOf":null,"#
                + #""fields":null,"interfaces":null,"possibleTypes":null,"enumValues":[{"name":"NEWEST"}],"#
                + rest(#""inputFields":null,"#)
                + #","e":{"kind":"INPUT_OBJECT","name":"By","description":null,"specifiedByURL":null,"isOneOf":true,"#
                + #""fields":null,"interfaces":null,"possibleTypes":null,"enumValues":null,"#
                + rest(#""inputFields":[{"name":"id"}],"#)
                + #","f":{"kind":"SCALAR","name":"Date","description":"An instant.","#
                + #""specifiedByURL":"https://example.org","isOneOf":null,"fields":null,"interfaces":null,"#
                + rest(#""possibleTypes":null,"enumValues":null,"inputFields":null,"#)
                + #","g":{"isOneOf":false}}}"#)
    }

    @Test func tellsOfFieldsArgumentsAndWrappers() async throws {
        let query = """
            { __type(name: "Root") { fields(includeDeprecated: true) {
                name description isDeprecated deprecationReason
                args { name defaultValue }
                all: args(includeDeprecated: true) { name type { name } isDeprecated deprecationReason }
                type { kind name ofType { kind ofType { kind ofType { kind ofType { name } } } } }
            } } }
            """
        #expect(
            try await data(query) == #"{"data":{"__type":{"fields":[{"name":"id","description":"By its key.","#
                + #""isDeprecated":false,"deprecationReason":null,"args":[],"all":[],"#
                + #""type":{"kind":"NON_NULL","name":null,"ofType":{"kind":"SCALAR","ofType":null}}},"#
                + #"{"name":"find","description":null,"isDeprecated":true,"deprecationReason":"No longer supported","#
                + #""args":[{"name":"by","defaultValue":null},{"name":"first","defaultValue":"20"}],"#
                + #""all":[{"name":"by","type":{"name":"By"},"isDeprecated":false,"deprecationReason":null},"#
                + #"{"name":"first","type":{"name":"Int"},"isDeprecated":false,"deprecationReason":null},"#
                + #"{"name":"old","type":{"name":"Int"},"isDeprecated":true,"deprecationReason":"unused"}],"#
                + #""type":{"kind":"LIST","name":null,"ofType":{"kind":"NON_NULL","ofType":{"kind":"LIST","#
                + #""ofType":{"kind":"NON_NULL","ofType":{"name":"Node"}}}}}}]}}}"#)
    }

    @Test func tellsOfDeprecatedValuesAndDefaults() async throws {
        let query = """
            { a: __type(name: "Order") { enumValues(includeDeprecated: true) { name isDeprecated deprecationReason } }
              b: __type(name: "By") { inputFields(includeDeprecated: true) { name isDeprecated } }
              c: __type(name: "Filter") { inputFields { defaultValue } } }
            """
        #expect(
            try await data(query) == #"{"data":{"a":{"enumValues":[{"name":"NEWEST","isDeprecated":false,"#
                + #""deprecationReason":null},{"name":"OLDEST","isDeprecated":true,"deprecationReason":"slow"}]},"#
                + #""b":{"inputFields":[{"name":"id","isDeprecated":false},{"name":"old","isDeprecated":true}]},"#
                + #""c":{"inputFields":[{"defaultValue":"3"},{"defaultValue":"[\"a\", \"b\"]"}]}}}"#)
    }

    @Test func tellsOfDirectives() async throws {
        let found = try await data(
            "{ __schema { directives { name isRepeatable locations args { name defaultValue } } } }")
        #expect(
            found.contains(
                #"{"name":"tagged","isRepeatable":true,"locations":["OBJECT","FIELD"],"#
                    + #""args":[{"name":"name","defaultValue":"\"x\""}]}"#))
        #expect(found.contains(#"{"name":"oneOf","isRepeatable":false,"locations":["INPUT_OBJECT"],"args":[]}"#))
    }

    @Test func theWholeQueryIsValidAndAnswered() async throws {
        #expect(validate(try parse(Source(introspectionQuery)), against: schema).isEmpty)
        guard case .object(let answer) = try parseJSON(try await introspectionFromSchema(schema)) else {
            throw RequestError([])
        }
        #expect(answer.fields.map(\.name) == ["data"])
    }

    @Test func aBoundSchemaAnswersBesideItsOwnFields() async throws {
        let answer = try await Fixture.execute(
            #"{ now __type(name: "User") { name } __schema { queryType { name } } }"#)
        #expect(answer.hasSuffix(#""__type":{"name":"User"},"__schema":{"queryType":{"name":"Query"}}}}"#))
    }
}
