import GraphQL
import Postgres
import Testing

@testable import App

/// Positions have the order of their lists, on edges and on changes.
@Suite struct PositionTests {
    @Test func theOrderOfTheBytesIsThatOfTheKeys() {
        let keys: [Int64] = [.min, -211_813_488_000_000_000, -1, 0, 1, 255, 256, 817_000_000_000_000, .max]
        let ids = [UUID(high: 0, low: 0), UUID(high: 0, low: 1), UUID(high: 1, low: 0), UUID(high: .max, low: .max)]
        let items = keys.flatMap { key in ids.map { (key, $0) } }
        let oldest = items.map { ListPosition(order: .oldest, key: $0.0, id: $0.1).text }
        #expect(oldest.allSatisfy { $0.utf8.count == 32 })
        #expect(oldest == oldest.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(Set(oldest).count == items.count)
        let newest = items.map { ListPosition(order: .newest, key: $0.0, id: $0.1).text }
        #expect(newest.reversed() == newest.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    private static let thought = worldID(.thought, 0x201)
    private static let event = worldID(.event, 0x301)

    /// The fields to the lists, with the person who reads them.
    private static let lists: [(field: String, person: Person)] = [
        ("thoughts(first: 50)", .nobody), ("thoughts(first: 50, order: MOST_LIKED)", .ana),
        ("thoughts(first: 50, order: BEST_RATED)", .ana), ("thoughts(first: 50, order: MOST_DISCUSSED)", .ana),
        ("feed(first: 50)", .ana), ("events(first: 50)", .ana),
        ("thought(id: \"\(thought)\") { comments(first: 50)", .ana),
        ("thought(id: \"\(thought)\") { likers(first: 50)", .ana),
        ("event(id: \"\(event)\") { attendees(first: 50)", .ana), ("viewer { thoughts(first: 50)", .ana),
        ("viewer { likedThoughts(first: 50)", .ana), ("viewer { savedThoughts(first: 50)", .ana),
        ("viewer { rsvpEvents(first: 50)", .ana), ("viewer { blockedUsers(first: 50)", .ana),
        ("viewer { images(first: 50)", .ana), ("viewer { user { events(first: 50)", .ana),
        ("viewer { conversations(first: 50)", .ana), ("viewer { notifications(first: 50)", .ana),
    ]

    private static func query(_ field: String, _ selection: String) -> String {
        let open = field.filter { $0 == "{" }.count
        return "query { \(field) { edges { \(selection) } }" + String(repeating: " }", count: open + 1)
    }

    /// The first `edges` in the answer.
    private static func edges(_ value: InputValue?) -> [InputObject]? {
        guard case .object(let object) = value else { return nil }
        if case .list(let list) = object["edges"] {
            return list.compactMap { if case .object(let edge) = $0 { edge } else { nil } }
        }
        for field in object.fields {
            if let found = edges(field.value) { return found }
        }
        return nil
    }

    private static func positions(_ edges: [InputObject]) -> [String] {
        edges.compactMap { if case .string(let text) = $0["position"] { text } else { nil } }
    }

    @Test func edgesHaveTheOrderOfTheirList() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into thoughts (id, author_id, category, text, status, published_at)
                  select gen_random_uuid(), '\(worldUUID(0xB))', 'FUNNY', 'x', 'PUBLISHED',
                    date_trunc('day', now()) - make_interval(days => n % 5) from generate_series(1, 20) n;
                """)
        var longest = 0
        for list in Self.lists {
            let answer = try await world.ask(Self.query(list.field, "position cursor"), as: list.person)
            let edges = try #require(Self.edges(try parseJSON(Array(answer.text.utf8))), "\(list.field) \(answer.text)")
            let positions = Self.positions(edges)
            #expect(positions.count == edges.count, "\(list.field)")
            #expect(positions == positions.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, "\(list.field)")
            longest = max(longest, positions.count)
        }
        #expect(longest > 20)
        await world.shutdown()
    }

    /// A change tells the position that the list, read anew, gives.
    @Test func aChangeHasThePositionOfItsEdge() async throws {
        let live = try await LiveWorld.make()
        let feed = try await live.subscribe(
            "feedChanges { kind nodeId position liked: position(order: MOST_LIKED) }", as: .ben)
        let comments = try await live.subscribe(
            "commentChanges(subjectId: \"\(Self.thought)\") { kind nodeId position }", as: .ben)
        let events = try await live.subscribe("eventChanges { kind nodeId position }", as: .ben)
        let writes: [(mutation: String, person: Person)] = [
            ("createThought(input: {text: \"New\", category: FUNNY, status: PUBLISHED}) { thought { id } }", .ana),
            ("addComment(input: {subjectId: \"\(Self.thought)\", text: \"New\"}) { comment { id } }", .ana),
            ("updateEvent(input: {id: \"\(Self.event)\", startsAt: \"2031-01-01T00:00:00Z\"}) { event { id } }", .ben),
        ]
        for write in writes {
            let written = try await live.world.ask("mutation { \(write.mutation) }", as: write.person)
            try #require(written.isData, "\(written.text)")
        }
        for (subscriber, field, list) in [
            (feed, "feedChanges", "feed(first: 50)"),
            (comments, "commentChanges", "thought(id: \"\(Self.thought)\") { comments(first: 50)"),
            (events, "eventChanges", "events(first: 50)"),
        ] {
            let change = try #require(try await subscriber.take(1).first)
            let id = try #require(change.string(field, "nodeId"), "\(change.text)")
            let answer = try await live.world.ask(Self.query(list, "position node { id }"), as: .ben)
            let edges = try #require(Self.edges(try parseJSON(Array(answer.text.utf8))))
            let edge = edges.first { edge in
                guard case .object(let node) = edge["node"] else { return false }
                return node["id"] == .string(id)
            }
            #expect(edge?["position"] == change.string(field, "position").map(InputValue.string), "\(field)")
            #expect(change.string(field, "position") != nil)
        }
        await live.shutdown()
    }

    /// The order of the counters, which the list itself has some seconds later.
    @Test func aLikeMovesAThoughtAtOnce() async throws {
        let live = try await LiveWorld.make()
        let feed = try await live.subscribe(
            "feedChanges(filter: {kinds: [THOUGHT]}) { nodeId kind position(order: MOST_LIKED) }", as: .nobody)
        let create = "createThought(input: {text: \"New\", category: FUNNY, status: PUBLISHED}) { thought { id } }"
        let created = try await live.world.ask("mutation { \(create) }", as: .ana)
        let id = try #require(created.string("createThought", "thought", "id"))
        _ = try await feed.take(1)
        #expect(
            try await live.world.ask(
                "mutation { likeThought(input: {thoughtId: \"\(id)\"}) { thought { likeCount } } }", as: .ben
            ).isData)
        let changes = try await feed.take(2)
        let before = try #require(changes[0].string("feedChanges", "position"))
        let after = try #require(changes[1].string("feedChanges", "position"))
        #expect(after < before)
        let answer = try await live.world.ask(
            Self.query("thoughts(order: MOST_LIKED, first: 50)", "position node { id }"), as: .nobody)
        #expect(answer.text.contains(after) && !answer.text.contains(before))
        #expect(
            try await live.world.ask("mutation { deleteThought(input: {id: \"\(id)\"}) { deletedId } }", as: .ana)
                .isData)
        let removed = try await feed.take(3)[2]
        #expect(removed.string("feedChanges", "kind") == "REMOVED")
        #expect(removed.string("feedChanges", "position") == nil)
        await live.shutdown()
    }
}
