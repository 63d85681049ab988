import GraphQL

/// A schema with what @defer and @stream have to tell apart: fields that are there, slow ones, those that fail, lists.
enum IncrementalFixture {
    private static let sdl = """
        type Query {
            hero: Hero  a: A  g: G  slow: String  bad: String!
            words: [String]  strictWords: [String!]  failingWords: [String]  table: [[Int!]!]
            friends: [Friend]  strictFriends: [Friend!]  allFriends: [Friend!]!
        }
        type Mutation { rename: Hero }
        type Subscription { renamed: Hero }
        type Hero {
            id: ID!  name: String  slowName: String  fails: String  strictFails: String!
            friends: [Friend!]!  nest: Nest  other: Nest
        }
        type Friend { id: ID!  name: String  slowName: String  fails: String  strictFails: String!  best: Friend }
        type Nest { deeper: Deeper }
        type Deeper { foo: String  bar: String  baz: String  bak: String }
        type A { b: B  someField: String  slowField: String  strictFails: String! }
        type B { c: C  e: E }
        type C { d: String  strictFails: String! }
        type E { f: String }
        type G { h: String }
        """

    struct Thing: ObjectValue {
        let id: Int

        init(_ id: Int = 1) { self.id = id }
    }

    static let friends = [Thing(2), Thing(3), Thing(4)]

    static func schema() throws -> ExecutableSchema<TestContext> {
        try ExecutableSchema(
            schema: buildSchema(parse(Source(sdl))),
            bindings: [
                ObjectBinding<Root, TestContext>("Query") { query in
                    query.field("hero") { _ -> Thing? in Thing() }
                    query.field("a") { _ -> Thing? in Thing() }
                    query.field("g") { _ -> Thing? in Thing() }
                    query.batch("slow") { roots, context in
                        context.log.add("slow")
                        return roots.map { _ -> String? in "slow" }
                    }
                    query.field("bad") { (_: Root) throws -> String in throw TestFailure() }
                    query.field("words") { _ -> [String?]? in ["apple", nil, "cherry"] }
                    query.field("strictWords") { _ -> [Result<String, any Error>]? in
                        [.success("apple"), .success("banana"), .failure(TestFailure()), .success("date")]
                    }
                    query.field("failingWords") { _ -> [Result<String, any Error>]? in
                        [.success("apple"), .failure(TestFailure()), .success("cherry")]
                    }
                    query.field("table") { _ -> [[Int]]? in [[1, 2], [3], [4, 5]] }
                    query.field("friends") { _ -> [Thing?]? in [friends[0], nil, friends[2]] }
                    query.field("strictFriends") { _ -> [Thing]? in friends }
                    query.load("allFriends") { _, context in
                        context.log.add("allFriends")
                        return Pending([friends])
                    }
                },
                ObjectBinding<Root, TestContext>("Mutation") { $0.field("rename") { _ -> Thing? in Thing() } },
                ObjectBinding<Root, TestContext>("Subscription") { subscription in
                    subscription.stream("renamed") { _ in AsyncStream<Thing?> { $0.finish() } }
                },
                object("Hero") { hero in
                    hero.field("friends") { _ in friends }
                    for name in ["nest", "other"] { hero.field(name) { thing -> Thing? in thing } }
                },
                object("Friend") { $0.field("best") { thing -> Thing? in Thing(thing.id + 1) } },
                link("Nest", ["deeper"]), texts("Deeper", ["foo", "bar", "baz", "bak"]),
                ObjectBinding<Thing, TestContext>("A") { a in
                    a.field("b") { thing -> Thing? in thing }
                    bind(&a, texts: ["someField"], slow: "slowField")
                },
                link("B", ["c", "e"]),
                ObjectBinding<Thing, TestContext>("C") { bind(&$0, texts: ["d"], slow: nil) },
                texts("E", ["f"]), texts("G", ["h"]),
            ])
    }

    private static func object(
        _ name: String, _ more: @escaping (inout ObjectFields<Thing, TestContext>) -> Void
    ) -> ObjectBinding<Thing, TestContext> {
        ObjectBinding(name) { object in
            object.field("id") { "\($0.id)" }
            object.field("name") { thing -> String? in "name \(thing.id)" }
            object.field("fails") { (_: Thing) throws -> String? in throw TestFailure() }
            bind(&object, texts: [], slow: "slowName")
            more(&object)
        }
    }

    private static func bind(
        _ object: inout ObjectFields<Thing, TestContext>, texts: [String], slow: String?
    ) {
        for text in texts { object.field(text) { _ -> String? in text } }
        object.field("strictFails") { (_: Thing) throws -> String in throw TestFailure() }
        guard let slow else { return }
        object.batch(slow) { things, context in
            context.log.add("\(slow) of \(things.count)")
            return things.map { thing -> String? in "slow \(thing.id)" }
        }
    }

    private static func texts(_ name: String, _ texts: [String]) -> ObjectBinding<Thing, TestContext> {
        ObjectBinding(name) { object in for text in texts { object.field(text) { _ -> String? in text } } }
    }

    private static func link(_ name: String, _ fields: [String]) -> ObjectBinding<Thing, TestContext> {
        ObjectBinding(name) { object in for field in fields { object.field(field) { thing -> Thing? in thing } } }
    }

    /// All parts of a response.
    static func parts(
        _ text: String, variables: [String: InputValue] = [:], format: IncrementalFormat? = .current,
        context: TestContext = TestContext()
    ) async throws -> [String] {
        let prepared = try PreparedOperation(parse(Source(text)), operationName: nil, schema: schema())
        let plan = try prepared.plan(for: prepared.mask(for: variables), format: format)
        return try await plan.parts(variables: variables, context: context)
    }
}

extension Plan<TestContext> {
    func parts(variables: [String: InputValue], context: TestContext) async throws -> [String] {
        var parts: [String] = []
        var ends: [Bool] = []
        try await executeIncrementally(self, variables: variables, context: context) { response, hasNext in
            context.log.add("part \(parts.count)")
            parts.append(String(decoding: response.body, as: UTF8.self))
            ends.append(!hasNext)
            return true
        }
        // One end, and that the last.
        if ends.firstIndex(of: true) != ends.count - 1 { parts.append("The response does not end as it says.") }
        return parts
    }
}

/// The error of a field that fails.
func failure(_ path: String, _ line: Int, _ column: Int) -> String {
    #"{"message":"Something went wrong.","locations":[{"line":\#(line),"column":\#(column)}],"path":[\#(path)],"#
        + #""extensions":{"code":"INTERNAL_SERVER_ERROR"}}"#
}
