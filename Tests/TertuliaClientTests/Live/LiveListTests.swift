import ClientOperations
import Foundation
import TestSupport
import Testing

@testable import TertuliaClient

/// Lists against a scripted server: its socket says what a test wants, when it wants.
@Suite(.timeLimit(.minutes(10))) struct LiveListTests {
    private let folder: TemporaryFolder
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    init() throws { folder = try TemporaryFolder() }

    private static func row(_ id: String, _ text: String, likes: Int = 0) -> String {
        """
        {"__typename":"Thought","id":"\(id)","createdAt":"2026-11-20T21:15:00.000Z","text":"\(text)","category":"FUNNY",\
        "likeCount":\(likes),"viewerHasLiked":false,\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}
        """
    }

    private static func page(
        _ rows: [(id: String, position: String?)], cursor: String, hasNext: Bool = false, text: String = "Text"
    ) -> String {
        let edges: String = rows.map { row -> String in
            let position = row.position.map { "\"position\":\"\($0)\"," } ?? ""
            return #"{"cursor":"c-\#(row.id)",\#(position)"node":\#(Self.row(row.id, text))}"#
        }.joined(separator: ",")
        return """
            {"data":{"changeCursor":"\(cursor)","feed":{"edges":[\(edges)],\
            "pageInfo":{"hasNextPage":\(hasNext),"endCursor":"c-\(rows.last?.id ?? "")"}}}}
            """
    }

    private static func change(
        _ kind: String, _ id: String, cursor: String, node: String? = nil, position: String? = nil,
        subscription: String = "1"
    ) -> String {
        let position = position.map { "\"position\":\"\($0)\"," } ?? ""
        return """
            {"id":"\(subscription)","type":"next","payload":{"data":{"feedChanges":{"kind":"\(kind)","nodeId":"\(id)",\
            \(position)"cursor":"\(cursor)","node":\(node ?? "null")}}}}
            """
    }

    private func client(_ server: ScriptedServer) async throws -> Client {
        try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example()), folder: folder.url,
            schema: .generated)
    }

    private func after(_ subscribe: JSONObject) -> String? {
        subscribe["payload"]?.object?["variables"]?.object?["after"]?.text
    }

    @Test func showsTheServersRowsAndThenEachChange() async throws {
        let server = ScriptedServer { _, _ in Self.page([("t1", nil), ("t2", nil)], cursor: "10") }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(first: 20), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        #expect(after(try await socket.accept()) == "10")
        let live = try await watcher.value { $0.phase == .live }
        #expect(live.rows.map { $0.asThought?.text } == ["Text", "Text"])

        socket.say(Self.change("CHANGED", "t2", cursor: "11", node: Self.row("t2", "Edited")))
        let changed = try await watcher.value { $0.rows.last?.asThought?.text == "Edited" }
        #expect(changed.rows.count == 2)
        socket.say(Self.change("REMOVED", "t1", cursor: "12"))
        let removed = try await watcher.value { $0.rows.count == 1 }
        #expect(removed.rows.first?.asThought?.text == "Edited")
        await watcher.stop()
        await client.close()
    }

    @Test func goesOnAfterTheNewestCursorWhenTheSocketBreaks() async throws {
        let server = ScriptedServer { _, _ in Self.page([("t1", nil)], cursor: "10") }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        var socket = try await server.socket(1)
        _ = try await socket.accept()
        socket.say(Self.change("CHANGED", "t1", cursor: "11", node: Self.row("t1", "One")))
        _ = try await watcher.value { $0.rows.first?.asThought?.text == "One" }
        socket.hangUp()
        socket = try await server.socket(2)
        #expect(after(try await socket.accept()) == "11")
        socket.say(#"{"type":"ping","payload":{"cursor":"15"}}"#)
        _ = try await socket.next("pong")
        socket.hangUp()
        #expect(after(try await server.socket(3).accept()) == "15")
        #expect(await server.count(of: "Feed") == 1)
        await watcher.stop()
        await client.close()
    }

    /// The rows and the cursor of another process's run: nothing is read anew.
    @Test func anotherRunShowsTheStoredRowsAndResumes() async throws {
        let server = ScriptedServer { _, _ in Self.page([("t1", nil)], cursor: "10") }
        do {
            let client = try await client(server)
            let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
            let watcher = await Watcher(list.values)
            let socket = try await server.socket(1)
            _ = try await socket.accept()
            socket.say(Self.change("CHANGED", "t1", cursor: "11", node: Self.row("t1", "One")))
            _ = try await watcher.value { $0.rows.first?.asThought?.text == "One" }
            await watcher.stop()
            await client.close()
        }
        await server.refuseSockets(true)
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let cached = try await watcher.value { _ in true }
        #expect(cached.rows.map { $0.asThought?.text } == ["One"])
        await server.refuseSockets(false)
        #expect(after(try await server.socket(2).accept()) == "11")
        _ = try await watcher.value { $0.phase == .live }
        #expect(await server.count(of: "Feed") == 1)
        await watcher.stop()
        await client.close()
    }

    /// The old rows stay until the new ones are there.
    @Test func anExpiredCursorReadsAnewWithoutAFlicker() async throws {
        let reads = Counter()
        let server = ScriptedServer { _, _ in
            await reads.next() == 1
                ? Self.page([("t1", nil)], cursor: "10") : Self.page([("t2", nil)], cursor: "20", text: "Anew")
        }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        try await watcher.value { $0.phase == .live && $0.rows.count == 1 }
        socket.say(#"{"id":"1","type":"error","payload":[{"message":"Old","extensions":{"code":"CURSOR_EXPIRED"}}]}"#)
        #expect(after(try await socket.next("subscribe")) == "20")
        try await watcher.value { $0.rows.first?.asThought?.text == "Anew" }
        let seen = await watcher.seen.map { $0.rows.count }
        let first = try #require(seen.firstIndex(of: 1))
        #expect(!seen[first...].contains(0))
        await watcher.stop()
        await client.close()
    }

    @Test func withoutAPositionAnAddedRowMakesTheListStale() async throws {
        let server = ScriptedServer { _, _ in Self.page([("t1", nil)], cursor: "10") }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        socket.say(Self.change("ADDED", "t9", cursor: "11", node: Self.row("t9", "New")))
        let stale = try await watcher.value { $0.isStale }
        #expect(stale.rows.count == 1)
        await watcher.stop()
        await client.close()
    }

    @Test func aPositionPutsARowWhereItBelongs() async throws {
        let server = ScriptedServer { _, _ in
            Self.page([("t1", "b"), ("t2", "d"), ("t3", "f")], cursor: "10", hasNext: true)
        }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        socket.say(Self.change("ADDED", "t4", cursor: "11", node: Self.row("t4", "Four"), position: "c"))
        socket.say(Self.change("CHANGED", "t3", cursor: "12", node: Self.row("t3", "Three"), position: "a"))
        socket.say(Self.change("ADDED", "t5", cursor: "13", node: Self.row("t5", "Five"), position: "x"))
        let moved = try await watcher.value { $0.beyondEnd == 1 }
        #expect(moved.rows.map { $0.asThought?.text } == ["Three", "Text", "Four", "Text"])
        #expect(!moved.isStale)
        await watcher.stop()
        await client.close()
    }

    /// With more rows on the server, the loaded ones end at a position.
    @Test func whatBelongsAfterTheLoadedRowsIsCounted() async throws {
        let server = ScriptedServer { _, variables in
            variables["after"] == .string("c-t3")
                ? Self.page([("t5", "h"), ("t2", "m"), ("t6", "p")], cursor: "20", hasNext: true, text: "Second")
                : Self.page([("t1", "b"), ("t2", "d"), ("t3", "f")], cursor: "10", hasNext: true)
        }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        // The last row stays, since it did not move.
        socket.say(Self.change("CHANGED", "t3", cursor: "11", node: Self.row("t3", "Last"), position: "f"))
        let last = try await watcher.value { $0.rows.last?.asThought?.text == "Last" }
        #expect(last.rows.count == 3 && last.beyondEnd == 0)
        socket.say(Self.change("CHANGED", "t2", cursor: "12", node: Self.row("t2", "Moved"), position: "m"))
        socket.say(Self.change("ADDED", "t5", cursor: "13", node: Self.row("t5", "Five"), position: "h"))
        socket.say(Self.change("ADDED", "t7", cursor: "14", node: Self.row("t7", "Seven"), position: "z"))
        let counted = try await watcher.value { $0.beyondEnd == 3 }
        #expect(counted.rows.map { $0.asThought?.text } == ["Text", "Last"])
        // What was never loaded and did not come now is not counted.
        socket.say(Self.change("CHANGED", "t6", cursor: "15", node: Self.row("t6", "Six"), position: "p"))
        socket.say(Self.change("REMOVED", "t7", cursor: "16"))
        try await watcher.value { $0.beyondEnd == 2 }
        socket.say(Self.change("ADDED", "t8", cursor: "17", node: Self.row("t8", "Eight"), position: "y"))
        try await watcher.value { $0.beyondEnd == 3 }
        try await list.loadMore()
        let more = try await watcher.value { $0.rows.count == 5 }
        #expect(more.rows.map { $0.asThought?.text } == ["Text", "Last", "Second", "Second", "Second"])
        #expect(more.beyondEnd == 1 && more.hasNextPage)
        await watcher.stop()
        await client.close()
    }

    /// The rows say where they stand: each list that is shown has the order of its own rows, however many changes were
    /// stored between two reads.
    @Test func orderAndRowsAreOfOneMoment() async throws {
        let server = ScriptedServer { _, _ in
            Self.page([("t1", "100"), ("t2", "200"), ("t3", "300")], cursor: "10", text: "000")
        }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        for (index, id) in ["t1", "t2", "t3"].enumerated() {
            let place = "\(index + 1)00"
            socket.say(Self.change("CHANGED", id, cursor: "11", node: Self.row(id, place), position: place))
        }
        try await watcher.value { $0.rows.last?.asThought?.text == "300" }
        for number in 0..<400 {
            let id = "t\(number % 3 + 1)"
            let place = "\(400 + (number * 7919) % 500)"
            socket.say(Self.change("CHANGED", id, cursor: "\(12 + number)", node: Self.row(id, place), position: place))
        }
        socket.say(Self.change("REMOVED", "t1", cursor: "500"))
        try await watcher.value { $0.rows.count == 2 }
        let seen = await watcher.seen.map { $0.rows.compactMap { $0.asThought?.text } }
        #expect(seen.allSatisfy { $0 == $0.sorted() || $0.contains("000") })
        await watcher.stop()
        await client.close()
    }

    /// The server read the page before the changes that the client has had when the page arrives.
    @Test func whatChangesWhileAPageIsOnItsWayStays() async throws {
        let gate = Gate()
        let server = ScriptedServer { _, variables in
            guard variables["after"] == .string("c-t2") else {
                return Self.page([("t1", "b"), ("t2", "d")], cursor: "10", hasNext: true)
            }
            await gate.pass()
            return Self.page([("t3", "f"), ("t4", "h"), ("t5", "j")], cursor: "10", hasNext: true)
        }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        try await watcher.value { $0.phase == .live && $0.rows.count == 2 }
        async let more: Void = list.loadMore()
        try await eventually("the second page's request") { await server.count(of: "Feed") >= 2 }
        socket.say(Self.change("REMOVED", "t3", cursor: "11"))
        socket.say(Self.change("CHANGED", "t4", cursor: "12", node: Self.row("t4", "Edited"), position: "h"))
        socket.say(Self.change("CHANGED", "t5", cursor: "13", node: Self.row("t5", "Moved"), position: "a"))
        try await watcher.value { $0.rows.first?.asThought?.text == "Moved" }
        await gate.open()
        try await more
        let both = try await watcher.value { $0.rows.count == 4 }
        #expect(both.rows.map { $0.asThought?.text } == ["Moved", "Text", "Text", "Edited"])
        #expect(!both.ids.contains("t3"))
        await watcher.stop()
        await client.close()
    }

    /// As many rows as were there.
    @Test func readingAnewKeepsTheLoadedPages() async throws {
        let reads = Counter()
        let server = ScriptedServer { _, variables in
            let text = await reads.next() > 2 ? "Anew" : "Text"
            return variables["after"] == .string("c-t2")
                ? Self.page([("t3", "d"), ("t4", "e")], cursor: "12", hasNext: true, text: text)
                : Self.page([("t1", "b"), ("t2", "c")], cursor: "10", hasNext: true, text: text)
        }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        try await list.loadMore()
        try await watcher.value { $0.rows.count == 4 }
        socket.say(#"{"id":"1","type":"error","payload":[{"message":"Old","extensions":{"code":"CURSOR_EXPIRED"}}]}"#)
        // The first page's cursor: changes between the pages still come.
        #expect(after(try await socket.next("subscribe")) == "10")
        let anew = try await watcher.value { $0.rows.first?.asThought?.text == "Anew" }
        #expect(anew.rows.count == 4 && anew.hasNextPage)
        let seen = await watcher.seen.map { $0.rows.count }
        let whole = try #require(seen.firstIndex(of: 4))
        #expect(seen[whole...].allSatisfy { $0 == 4 })
        await watcher.stop()
        await client.close()
    }

    @Test func loadsMoreAtTheEnd() async throws {
        let server = ScriptedServer { _, variables in
            variables["after"] == .string("c-t1")
                ? Self.page([("t2", nil)], cursor: "12", text: "Second")
                : Self.page([("t1", nil)], cursor: "10", hasNext: true)
        }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        // The cursor of the first page counts: changes between the pages still come.
        #expect(after(try await socket.accept()) == "10")
        try await list.loadMore()
        let both = try await watcher.value { $0.rows.count == 2 }
        #expect(both.rows.map { $0.asThought?.text } == ["Text", "Second"])
        #expect(!both.hasNextPage)
        await watcher.stop()
        await client.close()
    }
}
