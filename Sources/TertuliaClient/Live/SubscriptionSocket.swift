import Foundation

/// An event of one subscription.
enum SubscriptionEvent: Sendable {
    /// The subscription is sent over an open socket.
    case connected
    /// The socket broke, or could not be opened. The subscription goes on over the next socket, after its newest
    /// cursor.
    case interrupted
    case next(Response)
    /// The server has sent all changes up to the cursor.
    case cursor(String)
}

/// A subscription as the socket sends it.
struct SubscriptionRequest: Sendable {
    let name: String
    let document: String
    /// The variables that ask for the changes after a cursor, or for those from now on where it is nil.
    let variables: @Sendable (_ after: String?) -> JSONObject
    /// The cursor of a response's change.
    let cursor: @Sendable (Response) -> String?
}

/// The socket that all subscriptions of an account share. It opens for the first one, and closes when the last is
/// dropped.
/// Source: graphql-transport-ws (PROTOCOL.md of graphql-ws)
actor SubscriptionSocket {
    private struct Subscription {
        /// How far the subscription has come on the present socket.
        enum Progress {
            case waiting
            case sent
            /// The server has read the subscription: from now on the cursors of the server's pings hold for it.
            case served
        }

        let request: SubscriptionRequest
        var cursor: String?
        var progress = Progress.waiting
        /// True where the server has refused the subscription because of the socket's token. It becomes false when the
        /// server serves the subscription.
        var isTokenRefused = false
        let events: AsyncThrowingStream<SubscriptionEvent, any Error>.Continuation
    }

    private let endpoint: Endpoint
    private let session: Session
    /// The id of the account under which everything is subscribed; nil without a session.
    private let account: String?
    private var subscriptions: [String: Subscription] = [:]
    private var lastID = 0
    private var connection: Task<Void, Never>?
    private var socket: (any TransportSocket)?
    private var isAcknowledged = false
    private var isClosed = false
    /// True while the client itself closes the present socket, because no subscription is left.
    private var isUnused = false
    private var token: String?
    private var lastMessage = ContinuousClock.now

    init(endpoint: Endpoint, session: Session, account: String?) {
        self.endpoint = endpoint
        self.account = account
        self.session = session
    }

    /// The events of a subscription, until it ends or the stream is dropped.
    func events(
        of request: SubscriptionRequest, after cursor: String?
    ) -> AsyncThrowingStream<SubscriptionEvent, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: SubscriptionEvent.self)
        if isClosed {
            continuation.finish(throwing: CancellationError())
            return stream
        }
        lastID += 1
        let id = "\(lastID)"
        subscriptions[id] = Subscription(request: request, cursor: cursor, events: continuation)
        continuation.onTermination = { _ in Task { await self.end(id) } }
        if isAcknowledged {
            Task { await subscribe([id]) }
        } else if connection == nil {
            connection = Task { await run() }
        }
        return stream
    }

    /// Ends all subscriptions, with `CancellationError`, and takes no others.
    func close() async {
        isClosed = true
        finish(throwing: CancellationError())
        connection?.cancel()
        await socket?.close()
    }

    private func end(_ id: String) async {
        guard let subscription = subscriptions.removeValue(forKey: id) else { return }
        if subscription.progress != .waiting { await send(["id": .string(id), "type": .string("complete")]) }
        await closeIfUnused()
    }

    /// Closes a socket without subscriptions. A subscription that comes meanwhile waits for the next socket.
    private func closeIfUnused() async {
        guard subscriptions.isEmpty, let socket else { return }
        isUnused = true
        isAcknowledged = false
        await socket.close()
    }

    // MARK: - The connection

    private func run() async {
        var backOff = BackOff()
        while !subscriptions.isEmpty {
            var isTokenRefused = false
            // In seconds, as the server asks for it.
            var wait: Double?
            do {
                try await connect()
                try await read(&backOff)
            } catch let closed as SocketClosed {
                isTokenRefused = closed.code == SocketClosed.tokenRefused
            } catch let refusal as RequestRefused where refusal.has("UNAUTHENTICATED") {
                finish(throwing: RequestRefused([ResponseError("The session has ended.", code: "UNAUTHENTICATED")]))
            } catch let refusal as RequestRefused {
                // The token could not be renewed now. The session goes on.
                wait = refusal.errors.first?.retryAfter
            } catch let error as Unavailable { wait = error.retryAfter } catch {}
            socket = nil
            isAcknowledged = false
            for id in subscriptions.keys { subscriptions[id]?.progress = .waiting }
            if isUnused {
                isUnused = false
                continue
            }
            for subscription in subscriptions.values { subscription.events.yield(.interrupted) }
            guard !subscriptions.isEmpty else { break }
            // Asking for another token renews it, or shows that the session has ended.
            if isTokenRefused { _ = try? await session.accessToken(of: account, inPlaceOf: token) }
            do { try await Task.sleep(for: backOff.next(atLeast: wait)) } catch { break }
        }
        connection = nil
    }

    private func connect() async throws {
        token = try await session.accessToken(of: account)
        let socket = try await endpoint.transport.connect(to: endpoint.socketURL, protocol: "graphql-transport-ws")
        self.socket = socket
        // The last subscription may have ended while the socket was opened.
        if subscriptions.isEmpty { return await closeIfUnused() }
        var payload = JSONObject()
        if let token { payload.set("accessToken", .string(token)) }
        try await socket.send(text(["type": .string("connection_init"), "payload": .object(payload)]))
    }

    private func read(_ backOff: inout BackOff) async throws {
        guard let socket else { return }
        lastMessage = .now
        let watch = Task { await closeWhenSilent(socket) }
        defer { watch.cancel() }
        for try await text in socket.messages {
            lastMessage = .now
            if isUnused { return }
            guard let message = (try? JSONValue(json: Array(text.utf8)))?.object else { continue }
            switch message["type"]?.text {
            case "connection_ack":
                backOff.reset()
                isAcknowledged = true
                await subscribe(subscriptions.keys.sorted())
            case "ping": await answer(message["payload"])
            case "pong": confirm(message["payload"])
            case "next": next(message)
            case "error": try await fail(message)
            case "complete":
                if let id = message["id"]?.text { subscriptions.removeValue(forKey: id)?.events.finish() }
                await closeIfUnused()
            default: break
            }
        }
    }

    /// The server pings an idle socket. A socket without any message is dead, even if the system takes it for open.
    private func closeWhenSilent(_ socket: any TransportSocket) async {
        let limit = Duration.seconds(60)
        var silence = Duration.zero
        while silence < limit {
            do { try await Task.sleep(for: limit - silence) } catch { return }
            silence = ContinuousClock.now - lastMessage
        }
        await socket.close()
    }

    /// Sends subscriptions, and a ping after them. The server reads in order, so the pong proves that it has read the
    /// subscriptions. No other message proves that for a list in which nothing changes.
    private func subscribe(_ ids: [String]) async {
        // `self.socket` may be replaced during the sends. The ping must follow the subscriptions on the same socket.
        guard isAcknowledged, let socket else { return }
        var sent: [JSONValue] = []
        for id in ids {
            guard let subscription = subscriptions[id], subscription.progress == .waiting else { continue }
            let request = subscription.request
            let payload = Endpoint.envelope(
                name: request.name, document: request.document, variables: request.variables(subscription.cursor))
            subscriptions[id]?.progress = .sent
            subscription.events.yield(.connected)
            sent.append(.string(id))
            try? await socket.send(
                text(["id": .string(id), "type": .string("subscribe"), "payload": .object(payload)]))
        }
        guard !sent.isEmpty else { return }
        let payload = JSONObject([("subscribed", .list(sent))])
        try? await socket.send(text(["type": .string("ping"), "payload": .object(payload)]))
    }

    /// Takes the pong to a ping of ``subscribe(_:)``.
    private func confirm(_ payload: JSONValue?) {
        for id in (payload?.object?["subscribed"]?.list ?? []).compactMap(\.text) {
            subscriptions[id]?.progress = .served
            subscriptions[id]?.isTokenRefused = false
        }
    }

    /// Takes the newest cursor from a ping, and answers it. Pings come regularly, so this is also the time to hand over
    /// a renewed token.
    private func answer(_ payload: JSONValue?) async {
        if let cursor = payload?.object?["cursor"]?.text {
            // The cursor is that of the subscriptions which the server has read. Any other one that took it would
            // miss the changes since its own cursor.
            for (id, subscription) in subscriptions where subscription.progress == .served {
                subscriptions[id]?.cursor = cursor
                subscription.events.yield(.cursor(cursor))
            }
        }
        var pong: [String: JSONValue] = ["type": .string("pong")]
        if let payload { pong["payload"] = payload }
        await send(pong)
        guard let next = try? await session.accessToken(of: account), next != token else { return }
        token = next
        await send([
            "type": .string("ping"), "payload": .object(JSONObject([("accessToken", .string(next))])),
        ])
    }

    private func next(_ message: JSONObject) {
        guard let id = message["id"]?.text, let subscription = subscriptions[id],
            let response = try? Response(message["payload"] ?? .null)
        else { return }
        subscriptions[id]?.progress = .served
        subscriptions[id]?.isTokenRefused = false
        if let cursor = subscription.request.cursor(response) { subscriptions[id]?.cursor = cursor }
        subscription.events.yield(.next(response))
    }

    /// - Throws: `SocketClosed` where the subscription goes on with another token.
    private func fail(_ message: JSONObject) async throws {
        guard let id = message["id"]?.text, let subscription = subscriptions[id] else { return }
        let refusal = RequestRefused((message["payload"]?.list ?? []).map { ResponseError($0) })
        if refusal.has("UNAUTHENTICATED"), token != nil, !subscription.isTokenRefused {
            subscriptions[id]?.isTokenRefused = true
            await socket?.close()
            throw SocketClosed(code: SocketClosed.tokenRefused, reason: "")
        }
        subscriptions[id] = nil
        subscription.events.finish(throwing: refusal)
        await closeIfUnused()
    }

    private func finish(throwing error: any Error) {
        for subscription in subscriptions.values { subscription.events.finish(throwing: error) }
        subscriptions = [:]
    }

    private func send(_ members: [String: JSONValue]) async {
        // Sending fails only where the socket is about to end; `run` then subscribes again over the next one.
        try? await socket?.send(text(members))
    }

    private func text(_ members: [String: JSONValue]) -> String {
        JSONValue.object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })).jsonText
    }
}
