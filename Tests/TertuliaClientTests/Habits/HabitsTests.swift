import ClientOperations
import Foundation
import TestSupport
import Testing

@testable import TertuliaClient

/// The ways in besides async sequences.
@Suite(.timeLimit(.minutes(10))) struct HabitsTests {
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
        var random = SeededGenerator(seed: 17)
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
        let (calls, call) = AsyncStream.makeStream(of: LiveRows<Row>.self)
        let called = await Watcher(calls)
        let observation = list.onChange { call.yield($0) }
        let socket = try await server.socket(1)
        _ = try await socket.accept()
        try await called.value { $0.phase == .live && $0.ids == ["t1"] }
        let events = await Watcher(list.events)
        while case .objectSubscribed = try await events.next() {}
        socket.say(
            """
            {"id":"1","type":"next","payload":{"data":{"feedChanges":{"kind":"ADDED","nodeId":"t2","position":"a",\
            "cursor":"11","node":\(Self.json("t2", "Two"))}}}}
            """)
        #expect(try await events.next() == .objectAdded(id: "t2", try row("t2", "Two"), index: 0))
        try await called.value { $0.ids == ["t2", "t1"] }
        observation.cancel()
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
        let events = await Watcher(session.events)
        #expect(try await events.next() == .userIdentified(account))
        try await session.signOut()
        #expect(try await events.next() == .userLoggedOut)
        await isRefused.set()
        await #expect(throws: UserErrors.self) { try await session.signIn(login: "ana", password: "b") }
        #expect(try await events.next() == .userAuthFailed("Wrong."))

        let ending = try Session(
            endpoint: Endpoint(url: url, transport: server), store: MemoryCredentials(.example(endsIn: 5)))
        let others = await Watcher(ending.events)
        #expect(try await others.next() == .userIdentified(account))
        await #expect(throws: RequestRefused.self) { try await ending.accessToken() }
        #expect(try await others.next() == .userAuthFailed("Revoked."))
        #expect(try await others.next() == .userLoggedOut)
    }
}
