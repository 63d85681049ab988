import GraphQL
import Synchronization

/// A small schema with every kind of output, and a log of what the executor called.
enum Fixture {
    static let sdl = """
        type Query {
            thought(id: ID!): Thought
            thoughts(first: Int = 2): [Thought!]!
            feed: [FeedItem!]!
            search: [SearchResult]
            now: Int!
            fails: String
        }
        type Mutation { add(amount: Int!): Counter  addNow(amount: Int!): Int  fail: Int! }
        type Subscription { ticks(count: Int!): Int!  thoughtAdded: Thought  refused: Int }
        type Counter { value: Int!  later: Int! }
        interface FeedItem { id: ID!  author: User! }
        union SearchResult = Thought | Event | User
        enum Category { FUNNY SERIOUS }
        type Thought implements FeedItem {
            id: ID!  text: String!  category: Category!  title: String  tags: [String!]!
            author: User!  likers: [User!]!
        }
        type Event implements FeedItem { id: ID!  name: String!  author: User! }
        type User { id: ID!  name: String!  best: Thought  friends: [User!]! }
        """

    static func schema() throws -> ExecutableSchema<TestContext> {
        try ExecutableSchema(schema: buildSchema(try parse(Source(sdl))), bindings: bindings)
    }

    static var bindings: [any TypeBinding<TestContext>] {
        [
            query, mutation, subscription, counter, thought, event, user,
            InterfaceBinding<Item, TestContext>("FeedItem") {
                $0.member("Thought") { if case .thought(let thought) = $0 { thought } else { nil } }
                $0.member("Event") { if case .event(let event) = $0 { event } else { nil } }
            },
            UnionBinding<Item, TestContext>("SearchResult") {
                $0.member("Thought") { if case .thought(let thought) = $0 { thought } else { nil } }
                $0.member("Event") { if case .event(let event) = $0 { event } else { nil } }
                $0.member("User") { if case .user(let user) = $0 { user } else { nil } }
            },
        ]
    }

    static func execute(
        _ text: String, variables: [String: InputValue] = [:], context: TestContext = TestContext()
    ) async throws -> String {
        String(decoding: try await respond(text, variables: variables, context: context).body, as: UTF8.self)
    }

    static func respond(
        _ text: String, variables: [String: InputValue] = [:], context: TestContext = TestContext()
    ) async throws -> Response {
        try await GraphQL.execute(try plan(text, variables), variables: variables, context: context)
    }

    static func plan(_ text: String, _ variables: [String: InputValue] = [:]) throws -> Plan<TestContext> {
        let prepared = try PreparedOperation(parse(Source(text)), operationName: nil, schema: schema())
        return try prepared.plan(for: prepared.mask(for: variables))
    }
}

struct TestContext: ExecutionContext {
    let log = CallLog()
    let counter = CallLog()

    func executionError(for error: any Error) -> ExecutionError {
        log.add("masked")
        return ExecutionError("Something went wrong.", code: .internalServerError)
    }
}

final class CallLog: Sendable {
    private let stored = Mutex<[String]>([])

    var calls: [String] { stored.withLock { $0 } }

    func add(_ call: String) { stored.withLock { $0.append(call) } }
}

struct TestFailure: Error {}

enum Category: String, CaseIterable, LeafValue, InputDecodable { case funny = "FUNNY", serious = "SERIOUS" }

struct Thought: ObjectValue {
    let id: Int
    var text: String { "text \(id)" }
    var key: String { "t\(id)" }
    var category: Category { id % 2 == 0 ? .serious : .funny }
    var title: String? { id % 2 == 0 ? nil : "title \(id)" }
    var tags: [String] { (0..<id).map { "tag \($0)" } }
}

struct Event: ObjectValue {
    let id: Int
    var key: String { "e\(id)" }
    var name: String { "event \(id)" }
}

struct User: ObjectValue {
    let id: Int
    var key: String { "u\(id)" }
    var name: String { "user \(id)" }
}

struct Counter: ObjectValue { let value: Int }

enum Item: AbstractValue {
    case thought(Thought), event(Event), user(User)
}

extension Fixture {
    static let query = ObjectBinding<Root, TestContext>("Query") { query in
        query.field("thought") { _, context throws -> Thought? in
            let id: String = try context.arguments.decode("id")
            return Int(id.dropFirst()).map(Thought.init)
        }
        query.field("thoughts") { _, context in
            let first: Int = try context.arguments.decode("first")
            return (1...first).map(Thought.init)
        }
        query.batch("feed") { roots, context in
            context.log.add("feed")
            return [[Item.thought(Thought(id: 1)), .event(Event(id: 2)), .thought(Thought(id: 3))]]
        }
        query.load("search") { _, context in
            Pending([[Item.user(User(id: 1)), nil, .event(Event(id: 2)), .thought(Thought(id: 1))]])
        }
        query.field("now") { _ in 42 }
        query.field("fails") { _ throws -> String? in throw TestFailure() }
    }

    static let thought = ObjectBinding<Thought, TestContext>("Thought") { thought in
        thought.field("id", \.key)
        thought.field("text", \.text)
        thought.field("category", \.category)
        thought.field("title", \.title)
        thought.field("tags", \.tags)
        thought.load("author") { thoughts, context in
            context.log.add("author of \(thoughts.count) thoughts")
            return Pending {
                context.log.add("awaited authors")
                return thoughts.map { User(id: $0.id * 10) }
            }
        }
        thought.load("likers", plan: { $0.contains("best", "author", "name") ? "deep" : "flat" }) {
            thoughts, variant, context in
            context.log.add("likers \(variant) of \(thoughts.count) thoughts")
            return Pending {
                context.log.add("awaited likers")
                return thoughts.map { thought in (0..<thought.id).map { User(id: $0) } }
            }
        }
    }

    static let event = ObjectBinding<Event, TestContext>("Event") { event in
        event.field("id", \.key)
        event.field("name", \.name)
        event.load("author") { events, context in
            context.log.add("author of \(events.count) events")
            return Pending {
                context.log.add("awaited event authors")
                return events.map { User(id: $0.id * 100) }
            }
        }
    }

    static let user = ObjectBinding<User, TestContext>("User") { user in
        user.field("id", \.key)
        user.field("name", \.name)
        user.batch("best") { users, context in
            context.log.add("best of \(users.count)")
            return users.map { $0.id > 0 ? Thought(id: $0.id % 10 + 1) : nil }
        }
        user.batch("friends") { users, context async throws -> [[User]] in
            context.log.add("friends of \(users.count)")
            return users.map { [User(id: $0.id + 1)] }
        }
    }

    static let counter = ObjectBinding<Counter, TestContext>("Counter") { counter in
        counter.field("value", \.value)
        counter.load("later") { counters, context in
            context.log.add("later \(context.counter.calls.count)")
            return Pending(counters.map(\.value))
        }
    }

    static let mutation = ObjectBinding<Root, TestContext>("Mutation") { mutation in
        mutation.batch("add") { roots, context in
            let amount: Int = try context.arguments.decode("amount")
            for _ in 0..<amount { context.counter.add("") }
            context.log.add("add \(amount)")
            return [Counter(value: context.counter.calls.count)]
        }
        mutation.field("addNow") { _, context in
            let amount: Int = try context.arguments.decode("amount")
            for _ in 0..<amount { context.counter.add("") }
            context.log.add("addNow \(amount)")
            return context.counter.calls.count
        }
        mutation.field("fail") { _ throws -> Int in throw ExecutionError("No.", code: .badUserInput) }
    }

    static let subscription = ObjectBinding<Root, TestContext>("Subscription") { subscription in
        subscription.stream("ticks") { context in
            let count: Int = try context.arguments.decode("count")
            return AsyncStream { continuation in
                for tick in 0..<count { continuation.yield(tick) }
                continuation.finish()
            }
        }
        subscription.stream("thoughtAdded") { _ in
            AsyncThrowingStream<Thought?, any Error> { continuation in
                continuation.yield(Thought(id: 1))
                continuation.yield(nil)
                continuation.finish(throwing: TestFailure())
            }
        }
        subscription.stream("refused") { _ throws -> AsyncStream<Int?> in
            throw ExecutionError("Not you.", code: ErrorCode(rawValue: "FORBIDDEN"))
        }
    }
}
