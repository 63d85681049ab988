import GraphQL
import Synchronization
import Testing

/// Which fields are shared follows from the types of their bindings.
@Suite struct SharedFieldsTests {
    private static let sdl = """
        type Query { ping: Int }
        type Subscription { news: News  figures: Int }
        type News { number: Int  marks: Int  tags: [Int]  place: String  reader: String  item: Item  drawer: Drawer }
        interface Item { id: Int }
        type Note implements Item { id: Int  isOwn: Boolean }
        type Drawer implements Item { id: Int }
        """

    private struct Context: ExecutionContext {
        let reader: String

        var everybody: Place { Place(name: "here") }

        func executionError(for error: any Error) -> ExecutionError {
            ExecutionError("Something went wrong.", code: .internalServerError)
        }
    }

    private struct Place: Sendable { let name: String }

    private struct Note: SharedObject {
        let id: Int
    }

    /// One's own.
    private struct Drawer: ObjectValue {
        let id: Int
    }

    private enum Item: AbstractValue {
        case note(Note)
        case drawer(Drawer)
    }

    private struct News: SharedEvent {
        let number: Int
        let audience: EventAudience<Context>?
        var position: String? { nil }
    }

    /// Executes for each selection once.
    private final class Responses: ExecutionSharing {
        private let known = Mutex<[SelectionKey: Response]>([:])

        func response(
            to selection: SelectionKey, _ execute: @escaping @Sendable () async throws -> Response
        ) async throws -> Response {
            if let known = known.withLock({ $0[selection] }) { return known }
            let response = try await execute()
            known.withLock { $0[selection] = response }
            return response
        }
    }

    /// What the streams were told of their selections.
    private final class Plans: Sendable {
        private let stored = Mutex<[Bool]>([])
        var last: Bool? { stored.withLock { $0.last } }
        func add(_ isShared: Bool) { stored.withLock { $0.append(isShared) } }
    }

    private static func schema(
        _ plans: Plans = Plans(), audience: EventAudience<Context>? = nil
    ) throws -> ExecutableSchema<Context> {
        try ExecutableSchema(
            schema: buildSchema(parse(Source(sdl))),
            bindings: [
                ObjectBinding<Root, Context>("Query") { $0.field("ping") { _ in 1 } },
                ObjectBinding<Root, Context>("Subscription") { subscription in
                    subscription.stream("figures") { _ in AsyncStream<Int> { $0.finish() } }
                    subscription.stream("news", plan: { plans.add($0.isShared) }) { _, _ in
                        AsyncStream<News> { continuation in
                            continuation.yield(News(number: 1, audience: audience))
                            continuation.finish()
                        }
                    }
                },
                ObjectBinding<News, Context>("News") { news in
                    news.field("number", \.number)
                    news.field("marks") { Personal($0.number) }
                    news.field("tags") { [Optional(Personal($0.number))] }
                    news.field("place", for: Place.self) { _, context in context.name }
                    news.field("reader") { _, context in context.reader }
                    news.load("item") { news in Pending(news.map { Item.note(Note(id: $0.number)) }) }
                    news.load("drawer", for: Place.self) { news, _ in Pending(news.map { Drawer(id: $0.number) }) }
                },
                InterfaceBinding<Item, Context>("Item") {
                    $0.member("Note") { if case .note(let note) = $0 { note } else { nil } }
                    $0.member("Drawer") { if case .drawer(let drawer) = $0 { drawer } else { nil } }
                },
                ObjectBinding<Note, Context>("Note") { note in
                    note.field("id", \.id)
                    note.load("isOwn") { notes, context in Pending(notes.map { _ in context.reader == "ana" }) }
                },
                ObjectBinding<Drawer, Context>("Drawer") { $0.field("id", \.id) },
            ])
    }

    private static func plan(_ text: String, _ schema: ExecutableSchema<Context>) throws -> Plan<Context> {
        let prepared = try PreparedOperation(
            parse(Source("subscription { \(text) }")), operationName: nil, schema: schema)
        return try prepared.plan(for: prepared.mask(for: [:]))
    }

    @Test func followFromTheTypes() throws {
        let shared = try Self.schema().sharedFields
        #expect(shared == ["News.number", "News.place", "News.item", "Note.id"])
    }

    @Test(arguments: [
        ("news { __typename }", true), ("news { number place }", true), ("news { alias: number ...P }", true),
        ("news { number marks }", false), ("news { tags }", false), ("news { reader }", false),
        ("news { item { id } }", true), ("news { item { ... on Note { isOwn } } }", false),
        // No event that is shared has a drawer there.
        ("news { item { ... on Drawer { id } } }", true),
        ("news { drawer { __typename } }", false),
    ])
    func aSelectionIsSharedWhereAllOfItIs(_ text: String, _ isShared: Bool) throws {
        let plans = Plans()
        let schema = try Self.schema(plans)
        let document = try parse(Source("subscription { \(text) } fragment P on News { place }"))
        let prepared = try PreparedOperation(document, operationName: nil, schema: schema)
        _ = try prepared.plan(for: prepared.mask(for: [:]))
        #expect(plans.last == isShared)
    }

    /// The bytes that two readers get of one event.
    private static func told(_ text: String) async throws -> [String] {
        let audience = EventAudience(context: Context(reader: "nobody"), executions: Responses())
        let plan = try plan(text, schema(audience: audience))
        var told: [String] = []
        for reader in ["ana", "ben"] {
            guard case .stream(let stream) = try await subscribe(plan, variables: [:], context: Context(reader: reader))
            else { continue }
            for try await response in stream { told.append(String(decoding: response.body, as: UTF8.self)) }
        }
        return told
    }

    @Test func whatIsPersonalIsNeverExecutedForAll() async throws {
        #expect(
            try await Self.told("news { number place item { ... on Note { id } } }")
                == Array(repeating: #"{"data":{"news":{"number":1,"place":"here","item":{"id":1}}}}"#, count: 2))
        // Though the event has an audience.
        #expect(
            try await Self.told("news { reader item { ... on Note { isOwn } } }") == [
                #"{"data":{"news":{"reader":"ana","item":{"isOwn":true}}}}"#,
                #"{"data":{"news":{"reader":"ben","item":{"isOwn":false}}}}"#,
            ])
    }

    @Test func personalValuesAreWrittenAsTheyAre() async throws {
        #expect(
            try await Self.told("news { marks tags }")
                == Array(repeating: #"{"data":{"news":{"marks":1,"tags":[1]}}}"#, count: 2))
    }
}
