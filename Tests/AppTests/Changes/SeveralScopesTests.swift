import GraphQL
import Postgres
import Testing

@testable import App

/// A list of changes for several scopes tells of an object as one subscription to all of them would.
@Suite(.timeLimit(.minutes(20))) struct SeveralScopesTests {
    private static let event = worldID(.event, 0x301)
    private static let thought = worldID(.thought, 0x201)
    private static let noon = "2099-05-02T12:00:00Z"

    private struct Page: Equatable {
        let told: [String]
        let hasNext: Bool
        let end: String
    }

    private static func page(
        _ world: HiddenWorld, after: String, _ scopes: [String], first: Int = 50, as person: Person
    ) async throws -> Page {
        let text = """
            { changes(after: "\(after)", scopes: [\(scopes.map { "{\($0)}" }.joined(separator: ", "))], first: \(first)) \
            { nodes { kind nodeId node { id } } pageInfo { hasNextPage endCursor } } }
            """
        let answer = try await world.live.world.ask(text, as: person)
        guard case .list(let nodes) = answer["changes", "nodes"] else {
            return Page(told: [answer.code ?? answer.text], hasNext: false, end: after)
        }
        let told = nodes.map { node -> String in
            guard case .object(let node) = node, case .string(let kind) = node["kind"],
                case .string(let id) = node["nodeId"]
            else { return "?" }
            #expect((kind == "REMOVED") == (node["node"] == .null), "\(answer.text)")
            return "\(kind) \(id)"
        }
        return Page(
            told: told, hasNext: answer["changes", "pageInfo", "hasNextPage"] == .boolean(true),
            end: try #require(answer.string("changes", "pageInfo", "endCursor")))
    }

    /// The changes after a cursor, read in as many pages as it takes. A page ends early where an older transaction runs
    /// for longer than the list waits, be it of another database of the cluster.
    private static func rest(
        _ world: HiddenWorld, after: String, _ scopes: [String], first: Int, as person: Person
    ) async throws -> [String] {
        var told: [String] = []
        var page = Page(told: [], hasNext: true, end: after)
        while page.hasNext {
            page = try await self.page(world, after: page.end, scopes, first: first, as: person)
            told += page.told
        }
        return told
    }

    /// The list for the scopes in either order.
    private static func told(
        _ world: HiddenWorld, after: String, _ scopes: [String], as person: Person = .nobody
    ) async throws -> [[String]] {
        try await world.live.settle()
        var told: [[String]] = []
        for scopes in [scopes, scopes.reversed()] {
            told.append(try await page(world, after: after, scopes, as: person).told)
        }
        return told
    }

    private static func start(_ world: HiddenWorld, at time: String) async throws {
        try await world.mutate(
            "updateEvent(input: {id: \"\(event)\", startsAt: \"\(time)\", endsAt: \"2099-06-01T00:00:00Z\"})", as: .ben)
    }

    @Test func anEventMovesFromOneScopeToAnother() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        try await Self.start(world, at: "2099-05-03T12:00:00Z")
        let (early, late) = ("events: {startsBefore: \"\(Self.noon)\"}", "events: {startsAfter: \"\(Self.noon)\"}")
        let (gone, new, both) = (["REMOVED \(Self.event)"], ["ADDED \(Self.event)"], ["CHANGED \(Self.event)"])
        #expect(try await Self.told(world, after: before, [early]) == [gone, gone])
        #expect(try await Self.told(world, after: before, [late]) == [new, new])
        #expect(try await Self.told(world, after: before, [early, late]) == [both, both])
        // It leaves both.
        let between = try world.cursor()
        try await world.mutate("deleteEvent(input: {id: \"\(Self.event)\"})", as: .ben)
        #expect(try await Self.told(world, after: between, [early, late]) == [gone, gone])
        await world.live.shutdown()
    }

    /// The log does not have the end, so the event's present state removes it from the first scope.
    @Test func aNamedEventThatIsOverIsChanged() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        let past = worldID(.event, 0x302)
        try await world.mutate("updateEvent(input: {id: \"\(past)\", name: \"Long past\"})", as: .ana)
        let (coming, named) = ("events: {endsAfter: \"2026-06-01T00:00:00Z\"}", "nodeIds: [\"\(past)\"]")
        let (gone, both) = (["REMOVED \(past)"], ["CHANGED \(past)"])
        #expect(try await Self.told(world, after: before, [coming]) == [gone, gone])
        #expect(try await Self.told(world, after: before, [coming, named]) == [both, both])
        await world.live.shutdown()
    }

    @Test func aThoughtMovesFromOneCategoryToAnother() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        func move(to category: String) async throws {
            try await world.mutate("updateThought(input: {id: \"\(Self.thought)\", category: \(category)})", as: .ana)
        }
        let (funny, crazy) = ("feed: {categories: [FUNNY]}", "feed: {categories: [CRAZY]}")
        try await move(to: "CRAZY")
        let moved = ["CHANGED \(Self.thought)"]
        #expect(try await Self.told(world, after: before, [funny, crazy]) == [moved, moved])
        // A draft is in no feed, but its author still sees it by its id.
        let published = try world.cursor()
        try await world.mutate("unpublishThought(input: {id: \"\(Self.thought)\"})", as: .ana)
        let (gone, changed) = (["REMOVED \(Self.thought)"], ["CHANGED \(Self.thought)"])
        let named = "nodeIds: [\"\(Self.thought)\"]"
        #expect(try await Self.told(world, after: published, [funny, crazy], as: .ana) == [gone, gone])
        #expect(try await Self.told(world, after: published, [funny, crazy, named], as: .ana) == [changed, changed])
        #expect(try await Self.told(world, after: published, [funny, crazy, named]) == [gone, gone])
        await world.live.shutdown()
    }

    /// The objects that a block hides end with the cursor of the block's row, whichever scope has which of them.
    @Test func theEndOfABlocksObjectsIsTheBlocksOwn() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        try await world.block(0xB, as: .ana)
        try await world.edit(worldID(.thought, 0x2C1), as: .mod)
        try await world.live.settle()
        let scopes = ["nodeIds: [\"\(HiddenWorld.bens[1])\"]", "feed: {}"]
        for scopes in [scopes, scopes.reversed()] {
            let first = try await Self.page(world, after: before, scopes, first: 2, as: .ana)
            #expect(Set(first.told) == Set(HiddenWorld.bens.all("REMOVED")))
            #expect(first.hasNext)
            let rest = try await Self.rest(world, after: first.end, scopes, first: 2, as: .ana)
            #expect(rest == ["CHANGED \(HiddenWorld.marker)"])
        }
        await world.live.shutdown()
    }

    @Test func noneAreAskedFor() async throws {
        let world = try await HiddenWorld.make()
        let before = try world.cursor()
        #expect(try await Self.rest(world, after: before, ["feed: {}"], first: 0, as: .nobody) == [])
        try await world.edit(Self.thought, as: .ana)
        try await world.live.settle()
        let page = try await Self.page(world, after: before, ["feed: {}"], first: 0, as: .nobody)
        #expect(page == Page(told: [], hasNext: true, end: before))
        await world.live.shutdown()
    }
}
