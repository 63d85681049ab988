import GraphQL
import Testing

@Suite struct BindingTests {
    private struct Wrong: ObjectValue {}
    private enum Colour: String, CaseIterable, LeafValue { case red = "RED", blue = "BLUE" }

    private func mismatches(_ sdl: String, _ bindings: [any TypeBinding<TestContext>]) throws -> [String] {
        let schema = try buildSchema(parse(Source(sdl)))
        do {
            _ = try ExecutableSchema(schema: schema, bindings: bindings)
            return []
        } catch {
            return error.mismatches
        }
    }

    private func mismatches<Output: FieldOutput>(_ type: String, _ output: Output) throws -> [String] {
        try mismatches(
            "type Query { value: \(type) } type User { id: ID! } enum Colour { RED GREEN }",
            [
                ObjectBinding<Root, TestContext>("Query") { $0.field("value") { _ in output } },
                ObjectBinding<User, TestContext>("User") { $0.field("id", \.key) },
            ])
    }

    @Test func fitsTheFixture() throws {
        #expect(try mismatches(Fixture.sdl, Fixture.bindings) == [])
    }

    @Test func listsEveryMismatch() throws {
        let sdl = """
            type Query { one: Int two: Int! three: [Int] feed: Item }
            type Mutation { go: Int }
            type Subscription { ticks: Int }
            type User { id: ID! }
            type Lonely { id: ID! }
            interface Item { id: ID! }
            type A implements Item { id: ID! }
            type B implements Item { id: ID! }
            """
        let found = try mismatches(
            sdl,
            [
                ObjectBinding<Root, TestContext>("Query") { query in
                    query.field("two") { _ in Int?.none }
                    query.field("three") { _ in 3 }
                    query.field("four") { _ in 4 }
                    query.field("feed") { _ in Item.user(User(id: 1)) }
                    query.field("feed") { _ in Item.user(User(id: 1)) }
                },
                ObjectBinding<Wrong, TestContext>("Mutation") { $0.stream("go") { _ in AsyncStream<Int> { _ in } } },
                ObjectBinding<Root, TestContext>("Subscription") { $0.field("ticks") { _ in 1 } },
                ObjectBinding<User, TestContext>("User") { $0.field("id", \.key) },
                ObjectBinding<User, TestContext>("Nobody") { _ in },
                ObjectBinding<User, TestContext>("A") { $0.field("id", \.key) },
                ObjectBinding<User, TestContext>("B") { $0.field("id", \.key) },
                InterfaceBinding<Item, TestContext>("Item") {
                    $0.member("A") { _ in Thought?.none }
                    $0.member("User") { _ in User?.none }
                },
                UnionBinding<Item, TestContext>("Lonely") { _ in },
            ])
        #expect(
            found == [
                "Nobody is bound, but not a type of the schema",
                "Lonely is bound as another kind of type than it is in the schema",
                "Mutation is a root type: bind it to Root, not Wrong",
                "Query.two: Int! is not nullable, its Swift value is optional",
                "Query.three: [Int] is a list, its Swift value is not",
                "Query.four has a resolver, but is not in the schema",
                "Query.feed has two resolvers",
                "Query.one has no resolver",
                "Mutation.go is a stream outside the subscription type",
                "Subscription.ticks belongs to the subscription type and is no stream",
                "Lonely has no binding",
                "Item: member A gives Thought, but is bound to User",
                "Item has the member User, which is none of its possible types",
                "Item has no member B",
            ])
    }

    @Test func comparesShapes() throws {
        #expect(try mismatches("Int!", 1) == [])
        #expect(try mismatches("Int", Optional(1)) == [])
        #expect(try mismatches("Int", 1) == [])
        #expect(try mismatches("Int", Optional(Optional(1))).count == 1)
        #expect(try mismatches("[Int]", [Optional(1)]) == [])
        #expect(try mismatches("[Int!]", [Optional(1)]).count == 1)
        #expect(try mismatches("Int", [1]) == ["Query.value: Int is not a list, its Swift value is"])
        #expect(try mismatches("[[Int]]", [1]) == ["Query.value: [[Int]] is a list, its Swift value is not"])
        #expect(try mismatches("ID", 1) == ["Query.value: ID cannot be represented by Int"])
        #expect(try mismatches("Int", "1") == ["Query.value: Int cannot be represented by String"])
        #expect(try mismatches("Colour", Colour.red) == ["Query.value: Colour cannot be represented by Colour"])
        #expect(try mismatches("User", User(id: 1)) == [])
        #expect(try mismatches("User", [Result<User, any Error>.success(User(id: 1))]).count == 1)
        #expect(try mismatches("User", Thought(id: 1)) == ["Query.value: User is bound to Thought, but User to User"])
        #expect(try mismatches("User", 1) == ["Query.value: User cannot be represented by Int"])
        #expect(try mismatches("Int", User(id: 1)) == ["Query.value: Int is not an object type, User stands for one"])
        #expect(
            try mismatches("User", Item.user(User(id: 1)))
                == ["Query.value: User is not an abstract type, Item stands for one"])
    }
}
