import Foundation
import Testing

@testable import TertuliaClient

@Suite(.timeLimit(.minutes(20))) struct SubscriptionSocketTests {
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    private let request = SubscriptionRequest(
        name: "FeedChanges",
        document: "subscription FeedChanges($after: String) { feedChanges(after: $after) { cursor } }",
        variables: { after in JSONObject(after.map { [("after", .string($0))] } ?? []) },
        cursor: { $0.data?["feedChanges"]?.object?["cursor"]?.text })

    private func socket(_ server: ScriptedServer, _ credentials: Credentials = .example()) throws -> SubscriptionSocket
    {
        let endpoint = Endpoint(url: url, transport: server)
        let session = try Session(endpoint: endpoint, store: MemoryCredentials(credentials))
        return SubscriptionSocket(endpoint: endpoint, session: session, account: "viewer_1")
    }

    private func after(_ subscribe: JSONObject) -> String? {
        subscribe["payload"]?.object?["variables"]?.object?["after"]?.text
    }

    private func ping(_ cursor: String) -> String { #"{"type":"ping","payload":{"cursor":"\#(cursor)"}}"# }

    /// The cursors after which the next socket subscribes, by the subscriptions' ids.
    private func cursors(_ socket: ScriptedSocket, _ count: Int) async throws -> [String: String?] {
        var subscribes = [try await socket.accept()]
        while subscribes.count < count { subscribes.append(try await socket.next("subscribe")) }
        return Dictionary(uniqueKeysWithValues: subscribes.map { ($0["id"]?.text ?? "", after($0)) })
    }

    // MARK: - Cursors of pings

    /// The server's ping may have left before the server read the second subscription. The changes between the cursors
    /// 3 and 20 are still to come.
    @Test func aPingsCursorIsNotThatOfASubscriptionOnItsWay() async throws {
        let server = ScriptedServer { _, _ in "" }
        let socket = try socket(server)
        let first = await socket.events(of: request, after: "5")
        let connection = try await server.socket(1)
        _ = try await connection.accept()
        try await connection.confirm()
        let second = await socket.events(of: request, after: "3")
        #expect(after(try await connection.next("subscribe")) == "3")
        connection.say(ping("20"))
        _ = try await connection.next("pong")
        connection.hangUp()
        #expect(try await cursors(try await server.socket(2), 2) == ["1": "20", "2": "3"])
        await socket.close()
        #expect(try await told(first) == ["20"])
        #expect(try await told(second) == [])
    }

    @Test func aPingsCursorIsThatOfASubscriptionThatTheServerHasRead() async throws {
        let server = ScriptedServer { _, _ in "" }
        let socket = try socket(server)
        let first = await socket.events(of: request, after: "5")
        let second = await socket.events(of: request, after: "3")
        let connection = try await server.socket(1)
        _ = try await connection.accept()
        try await connection.confirm()
        connection.say(ping("20"))
        _ = try await connection.next("pong")
        connection.hangUp()
        #expect(try await cursors(try await server.socket(2), 2) == ["1": "20", "2": "20"])
        await socket.close()
        #expect(try await told(first) == ["20"])
        #expect(try await told(second) == ["20"])
    }

    /// A change comes of a subscription that the server has read.
    @Test func aChangeShowsThatTheServerHasReadTheSubscription() async throws {
        let server = ScriptedServer { _, _ in "" }
        let socket = try socket(server)
        let first = await socket.events(of: request, after: "5")
        let second = await socket.events(of: request, after: "3")
        var connection = try await server.socket(1)
        _ = try await connection.accept()
        connection.say(#"{"id":"2","type":"next","payload":{"data":{"feedChanges":{"cursor":"7"}}}}"#)
        connection.say(ping("20"))
        _ = try await connection.next("pong")
        connection.hangUp()
        connection = try await server.socket(2)
        #expect(try await cursors(connection, 2) == ["1": "5", "2": "20"])
        // Over another socket, the server has to read them again.
        connection.say(ping("30"))
        _ = try await connection.next("pong")
        connection.hangUp()
        #expect(try await cursors(try await server.socket(3), 2) == ["1": "5", "2": "20"])
        await socket.close()
        #expect(try await told(first) == [])
        #expect(try await told(second) == ["20"])
    }

    /// The cursors that a subscription was told of until the socket was closed.
    private func told(_ events: AsyncThrowingStream<SubscriptionEvent, any Error>) async throws -> [String] {
        var cursors: [String] = []
        do {
            for try await event in events { if case .cursor(let cursor) = event { cursors.append(cursor) } }
        } catch is CancellationError {}
        return cursors
    }

    // MARK: - Refusals

    /// The server has too much to do while the token is renewed.
    @Test func aTokenThatCannotBeRenewedNowEndsNothing() async throws {
        let attempts = Counter()
        let server = ScriptedServer { _, _ in
            await attempts.next() == 1
                ? #"{"data":null,"errors":[{"message":"Later.","extensions":{"code":"OVERLOADED"}}]}"#
                : SessionTests.tokens("refreshSession", token: "second")
        }
        let socket = try socket(server, .example(endsIn: 5))
        let events = await socket.events(of: request, after: "5")
        let accepted = Task { try await server.socket(1).accept() }
        var isConnected = false
        for try await event in events {
            if case .connected = event {
                isConnected = true
                break
            }
        }
        #expect(isConnected)
        #expect(after(try await accepted.value) == "5")
        await socket.close()
    }

    @Test func aSessionThatHasEndedEndsEverySubscription() async throws {
        let server = ScriptedServer { _, _ in
            #"{"data":null,"errors":[{"message":"Revoked.","extensions":{"code":"UNAUTHENTICATED"}}]}"#
        }
        let socket = try socket(server, .example(endsIn: 5))
        let error = await #expect(throws: RequestRefused.self) {
            for try await _ in await socket.events(of: request, after: nil) {}
        }
        #expect(error?.has("UNAUTHENTICATED") == true)
    }

    /// The server refuses a subscription whose socket has an old token, as it does in the second before it closes the
    /// socket.
    @Test func aSubscriptionGoesOnWithANewToken() async throws {
        let server = ScriptedServer { _, _ in SessionTests.tokens("refreshSession", token: "second") }
        let socket = try socket(server)
        let events = await socket.events(of: request, after: "5")
        let refusal =
            #"{"id":"1","type":"error","payload":[{"message":"Ended.","extensions":{"code":"UNAUTHENTICATED"}}]}"#
        var connection = try await server.socket(1)
        _ = try await connection.accept()
        connection.say(refusal)
        connection = try await server.socket(2)
        let opening = try await connection.next("connection_init")
        #expect(opening["payload"]?.object?["accessToken"]?.text == "second")
        connection.say(#"{"type":"connection_ack"}"#)
        #expect(after(try await connection.next("subscribe")) == "5")
        // A new token does not help either.
        connection.say(refusal)
        await #expect(throws: RequestRefused.self) { for try await _ in events {} }
    }

    // MARK: - Sockets without subscriptions

    @Test func theSocketIsClosedWhenTheServerEndsTheLastSubscription() async throws {
        let server = ScriptedServer { _, _ in "" }
        let socket = try socket(server)
        for (number, end) in [
            #"{"id":"1","type":"complete"}"#, #"{"id":"2","type":"error","payload":[{"message":"No."}]}"#,
        ].enumerated() {
            let events = await socket.events(of: request, after: nil)
            let connection = try await server.socket(number + 1)
            _ = try await connection.accept()
            connection.say(end)
            await connection.closed()
            withExtendedLifetime(events) {}
        }
    }

    @Test func theSocketIsClosedWhenTheLastSubscriptionEndsWhileItOpens() async throws {
        let gate = Gate()
        let server = ScriptedServer { _, _ in "" }
        await server.openSockets(gate)
        let socket = try socket(server)
        let events = await socket.events(of: request, after: nil)
        while await server.connects == 0 { try await Task.sleep(for: .milliseconds(2)) }
        await socket.close()
        await gate.open()
        try await server.socket(1).closed()
        withExtendedLifetime(events) {}
    }
}
