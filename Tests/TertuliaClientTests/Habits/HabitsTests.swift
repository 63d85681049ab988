import ClientOperations
import Foundation
import Testing

@testable import TertuliaClient

/// The ways in besides async sequences.
@Suite(.timeLimit(.minutes(20))) struct HabitsTests {
    private typealias Row = FeedQuery.Row
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    private static func json(_ id: String, _ text: String) -> String {
        """
        {"__typename":"Thought","id":"\(id)","createdAt":"2026-11-20T21:15:00.000Z","text":"\(text)","category":"FUNNY",\
        "likeCount":0,"viewerHasLiked":false,\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}
        """
    }

    private func row(_ id: String, _ text: String) throws -> Row {
        try Row(ObjectReader(try #require(try JSONValue(json: Self.json(id, text).utf8).object)))
    }

    private func list(_ rows: [(String, String)], _ phase: LiveRows<Row>.Phase = .live) throws -> LiveRows<Row> {
        LiveRows(
            rows: try rows.map { try row($0.0, $0.1) }, ids: rows.map(\.0), phase: phase, hasNextPage: false,
            beyondEnd: 0, isStale: false)
    }

    @Test func eventsSayWhatChanged() throws {
        let first = try list([("a", "1"), ("b", "1"), ("c", "1")], .cached)
        #expect(
            ObjectEvent.between(nil, first) == [
                .objectSubscribed(false), .objectAdded(id: "a", try row("a", "1"), index: 0),
                .objectAdded(id: "b", try row("b", "1"), index: 1), .objectAdded(id: "c", try row("c", "1"), index: 2),
            ])
        let second = try list([("c", "2"), ("d", "1"), ("b", "1")])
        #expect(
            ObjectEvent.between(first, second) == [
                .objectSubscribed(true), .objectRemoved(id: "a"), .objectChanged(id: "c", try row("c", "2"), index: 0),
                .objectAdded(id: "d", try row("d", "1"), index: 1),
            ])
        #expect(ObjectEvent.between(second, second) == [])
    }

    /// A store that applies each event has the same list.
    @Test func eventsGiveTheList() throws {
        var random = SplitMix(state: 17)
        var last: LiveRows<Row>?
        var applied: [(String, Row)] = []
        for _ in 0..<300 {
            var ids = ["a", "b", "c", "d", "e", "f", "g"].filter { _ in random.next() % 3 > 0 }
            ids.shuffle(using: &random)
            let next = try list(ids.map { ($0, "\(random.next() % 3)") })
            for event in ObjectEvent.between(last, next) {
                switch event {
                case .objectAdded(let id, let row, let index): applied.insert((id, row), at: index)
                case .objectRemoved(let id): applied.removeAll { $0.0 == id }
                case .objectChanged(let id, let row, let index):
                    applied.removeAll { $0.0 == id }
                    applied.insert((id, row), at: index)
                case .objectSubscribed, .objectErrored: break
                }
            }
            #expect(applied.map(\.0) == next.ids && applied.map(\.1) == next.rows)
            last = next
        }
    }

    @Test func closuresAndEventsFollowAList() async throws {
        let server = ScriptedServer { _, _ in
            """
            {"data":{"changeCursor":"10","feed":{"edges":[{"cursor":"1","position":"b","node":\(Self.json("t1", "One"))}],\
            "pageInfo":{"hasNextPage":false,"endCursor":"1"}}}}
            """
        }
        let folder = try TemporaryFolder()
        let client = try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example()), folder: folder.url,
            schema: .generated)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let called = Called<LiveRows<Row>>()
        let observation = list.onChange { called.add($0) }
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        try await called.value { $0.phase == .live && $0.ids == ["t1"] }
        var events = list.events.makeAsyncIterator()
        while case .objectSubscribed? = await events.next() {}
        socket.say(
            """
            {"id":"1","type":"next","payload":{"data":{"feedChanges":{"kind":"ADDED","nodeId":"t2","position":"a",\
            "cursor":"11","node":\(Self.json("t2", "Two"))}}}}
            """)
        #expect(await events.next() == .objectAdded(id: "t2", try row("t2", "Two"), index: 0))
        try await called.value { $0.ids == ["t2", "t1"] }
        observation.cancel()
        await client.close()
    }

    /// A change that is on its way to the main actor when that cancels the observation. An app that has turned to
    /// another account is not shown the rows of the one before it.
    @Test @MainActor func aCancelledObservationIsSilent() async throws {
        let server = ScriptedServer { _, _ in
            """
            {"data":{"changeCursor":"10","feed":{"edges":[{"cursor":"1","position":"b","node":\(Self.json("t1", "One"))}],\
            "pageInfo":{"hasNextPage":false,"endCursor":"1"}}}}
            """
        }
        let folder = try TemporaryFolder()
        let client = try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example()), folder: folder.url,
            schema: .generated)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let called = Called<LiveRows<Row>>()
        let observation = list.onChange { called.add($0) }
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        try await called.value { $0.phase == .live && $0.ids == ["t1"] }
        socket.say(
            """
            {"id":"1","type":"next","payload":{"data":{"feedChanges":{"kind":"ADDED","nodeId":"t2","position":"a",\
            "cursor":"11","node":\(Self.json("t2", "Two"))}}}}
            """)
        // The main actor is busy until the change has come.
        usleep(500_000)
        observation.cancel()
        try await Task.sleep(for: .milliseconds(100))
        #expect(called.last?.ids == ["t1"])
        await client.close()
    }

    /// The reader of events is slow, and another one of the same list is not.
    @Test func aSlowReaderGetsOneEventForManyChanges() async throws {
        let server = ScriptedServer { _, _ in
            """
            {"data":{"changeCursor":"10","feed":{"edges":[{"cursor":"1","position":"b","node":\(Self.json("t1", "0"))}],\
            "pageInfo":{"hasNextPage":false,"endCursor":"1"}}}}
            """
        }
        let folder = try TemporaryFolder()
        let client = try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example()), folder: folder.url,
            schema: .generated)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        try await watcher.value { $0.phase == .live && $0.rows.count == 1 }
        var events = list.events.makeAsyncIterator()
        while case .objectSubscribed? = await events.next() {}
        for number in 1...50 {
            socket.say(
                """
                {"id":"1","type":"next","payload":{"data":{"feedChanges":{"kind":"CHANGED","nodeId":"t1","position":"b",\
                "cursor":"\(10 + number)","node":\(Self.json("t1", "\(number)"))}}}}
                """)
            try await watcher.value { $0.rows.first?.asThought?.text == "\(number)" }
        }
        var count = 0
        while true {
            count += 1
            guard case .objectChanged(_, let row, _)? = await events.next() else {
                Issue.record("Something else than a change came.")
                break
            }
            if row.asThought?.text == "50" { break }
        }
        #expect(count < 10)
        await watcher.stop()
        await client.close()
    }

    @Test func eventsTellOfTheSession() async throws {
        let isRefused = Flag()
        let server = ScriptedServer { operation, _ in
            if operation == "SignOut" { return #"{"data":{"signOut":{"userErrors":[]}}}"# }
            if operation == "RefreshSession" {
                return #"{"data":null,"errors":[{"message":"Revoked.","extensions":{"code":"UNAUTHENTICATED"}}]}"#
            }
            if await isRefused.isSet {
                return #"{"data":{"signIn":{"userErrors":[{"code":"WRONG_CREDENTIALS","message":"Wrong."}]}}}"#
            }
            return SessionTests.tokens("signIn", token: "t")
        }
        let session = try Session(
            endpoint: Endpoint(url: url, transport: server), store: MemoryCredentials(.example()))
        let account = Account(id: "viewer_1", isAnonymous: false)
        var events = await session.events.makeAsyncIterator()
        #expect(await events.next() == .userIdentified(account))
        try await session.signOut()
        #expect(await events.next() == .userLoggedOut)
        await isRefused.set()
        await #expect(throws: UserErrors.self) { try await session.signIn(login: "ana", password: "b") }
        #expect(await events.next() == .userAuthFailed("Wrong."))

        let ending = try Session(
            endpoint: Endpoint(url: url, transport: server), store: MemoryCredentials(.example(endsIn: 5)))
        var others = await ending.events.makeAsyncIterator()
        #expect(await others.next() == .userIdentified(account))
        await #expect(throws: RequestRefused.self) { try await ending.accessToken() }
        #expect(await others.next() == .userAuthFailed("Revoked."))
        #expect(await others.next() == .userLoggedOut)
    }
}

/// What a closure was called with.
@MainActor final class Called<Value: Sendable> {
    private(set) var last: Value?

    func add(_ value: Value) { last = value }

    func value(where matches: @Sendable (Value) -> Bool) async throws {
        while !(last.map(matches) ?? false) { try await Task.sleep(for: .milliseconds(2)) }
    }
}

/// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
