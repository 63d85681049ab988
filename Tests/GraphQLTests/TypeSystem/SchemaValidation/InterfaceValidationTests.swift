import Testing

@testable import GraphQL

@Suite struct InterfaceValidationTests {
    private func errors(_ text: String) throws -> [String] {
        let document = try parse(Source("type Query { query: Int }\n" + text))
        let schema = try buildSchema(document, assumeValid: true)
        return validateSchema(schema, definedBy: document).map { error in
            "\(error.message) (\(error.locations.map { "\($0.line):\($0.column)" }.joined(separator: ", ")))"
        }
    }

    @Test func implementsInterfacesOnly() throws {
        #expect(
            try errors("type T implements Query { query: Int }") == [
                "Type T must only implement Interface types, it cannot implement Query. (2:19)"
            ])
    }

    @Test func implementsEachOnce() throws {
        #expect(
            try errors("interface I { a: Int }\ntype T implements I & I { a: Int }") == [
                "Type T can only implement I once. (3:19, 3:23)"
            ])
    }

    @Test func refusesCircles() throws {
        #expect(
            try errors("interface I implements I { a: Int }") == [
                "Type I cannot implement itself because it would create a circular reference. (2:24)"
            ])
        #expect(
            try errors("interface A implements B { a: Int }\ninterface B implements A { a: Int }") == [
                "Type A cannot implement B because it would create a circular reference. (3:24, 2:24)",
                "Type B cannot implement A because it would create a circular reference. (2:24, 3:24)",
            ])
    }

    @Test func implementsWhatItsInterfacesImplement() throws {
        #expect(
            try errors(
                "interface A { a: Int }\ninterface B implements A { a: Int }\ntype T implements B { a: Int }") == [
                    "Type T must implement A because it is implemented by B. (3:24, 4:19)"
                ])
    }

    @Test func providesEveryField() throws {
        #expect(
            try errors("interface I { a: Int b: Int }\ntype T implements I { a: Int }\nextend type T { c: Int }") == [
                "Interface field I.b expected but T does not provide it. (2:22, 3:1, 4:1)"
            ])
    }

    @Test func fieldTypesAreCovariant() throws {
        let interfaces = "interface N { a: N }\ninterface I { n: N l: [N] u: U s: String }\nunion U = X\n"
        #expect(
            try errors(interfaces + "type X implements I & N { a: X! n: X l: [X!]! u: X s: String! }") == [])
        #expect(
            try errors(interfaces + "type X implements I & N { a: X n: Query l: X u: U s: Int }") == [
                "Interface field I.n expects type N but X.n is type Query. (3:18, 5:35)",
                "Interface field I.l expects type [N] but X.l is type X. (3:23, 5:44)",
                "Interface field I.s expects type String but X.s is type Int. (3:35, 5:54)",
            ])
        #expect(
            try errors("interface I { a: Int! }\ntype T implements I { a: Int }") == [
                "Interface field I.a expects type Int! but T.a is type Int. (2:18, 3:26)"
            ])
    }

    @Test func argumentsAreTheSame() throws {
        let interface = "interface I { a(x: Int, y: [Int]): Int }\n"
        #expect(try errors(interface + "type T implements I { a(x: Int, y: [Int], z: Int, w: Int! = 1): Int }") == [])
        #expect(
            try errors(interface + "type T implements I { a(y: [Int!], z: Int!): Int }") == [
                "Interface field argument I.a(x:) expected but T.a does not provide it. (2:17, 3:23)",
                "Interface field argument I.a(y:) expects type [Int] but T.a(y:) is type [Int!]. (2:28, 3:28)",
                "Object field T.a includes required argument z that is missing from the Interface field I.a. "
                    + "(3:36, 2:15)",
            ])
    }

    @Test func deprecationBeginsAtTheInterface() throws {
        #expect(
            try errors("interface I { a: Int }\ntype T implements I { a: Int @deprecated }") == [
                "Interface field I.a is not deprecated, "
                    + "so implementation field T.a must not be deprecated. (3:30, 3:26)"
            ])
        #expect(try errors("interface I { a: Int @deprecated }\ntype T implements I { a: Int @deprecated }") == [])
    }
}
