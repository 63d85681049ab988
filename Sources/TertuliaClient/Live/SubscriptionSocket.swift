import ClientDocuments
import Foundation

/// What a subscription is told.
enum SubscriptionEvent: Sendable {
    /// The socket is open and the server has the subscription.
    case connected
    /// The socket broke; the subscription goes on with the next one, after the newest cursor.
    case interrupted
    case next(Response)
    /// All changes up to the cursor were sent.
    case cursor(String)
}

/// A subscription as the socket sends it.
struct SubscriptionRequest: Sendable {
    let document: ClientDocument
    /// The variables for the changes after a cursor; nil for those from now on.
    let variables: @Sendable (_ after: String?) -> JSONObject
    /// The cursor of a response's change.
    let cursor: @Sendable (Response) -> String?
}

/// The one socket of a session: all subscriptions share it. It is open while there is a subscription.
/// Source: graphql-transport-ws (PROTOCOL.md of graphql-ws)
actor SubscriptionSocket {
    private struct Subscription {
        let request: SubscriptionRequest
        /// False while the document is sent by its ID.
        var sendsText: Bool
        var cursor: String?
        /// The cursor that the last `subscribe` had.
        var subscribedAfter: String?
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
        subscriptions[id] = Subscription(
            request: request, sendsText: !endpoint.sendsDocumentIDs, cursor: cursor, events: continuation)
        continuation.onTermination = { _ in Task { await self.end(id) } }
        if isAcknowledged {
            Task { await subscribe(id) }
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
        guard subscriptions.removeValue(forKey: id) != nil else { return }
        if isAcknowledged { await send(["id": .string(id), "type": .string("complete")]) }
        if subscriptions.isEmpty { await socket?.close() }
    }

    // MARK: - The connection

    private func run() async {
        var backOff = BackOff()
        while !subscriptions.isEmpty {
            var refusal: SocketClosed?
            do {
                try await connect()
                try await read(&backOff)
            } catch let closed as SocketClosed { refusal = closed } catch is RequestRefused {
                finish(throwing: RequestRefused([ResponseError("The session has ended.", code: "UNAUTHENTICATED")]))
            } catch {}
            socket = nil
            if isAcknowledged {
                isAcknowledged = false
                for subscription in subscriptions.values { subscription.events.yield(.interrupted) }
            }
            guard !subscriptions.isEmpty else { break }
            // 4403: the token is refused; a new one is asked for, or the session turns out to have ended.
            if refusal?.code == 4403 { _ = try? await session.accessToken(of: account, inPlaceOf: token) }
            do { try await Task.sleep(for: backOff.next()) } catch { break }
        }
        connection = nil
    }

    private func connect() async throws {
        token = try await session.accessToken(of: account)
        let socket = try await endpoint.transport.connect(to: endpoint.socketURL, protocol: "graphql-transport-ws")
        self.socket = socket
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
            guard let message = (try? JSONValue(json: Array(text.utf8)))?.object else { continue }
            switch message["type"]?.text {
            case "connection_ack":
                backOff.reset()
                isAcknowledged = true
                for id in subscriptions.keys.sorted() { await subscribe(id) }
            case "ping": await answer(message["payload"])
            case "next": next(message)
            case "error": await fail(message)
            case "complete":
                if let id = message["id"]?.text { subscriptions.removeValue(forKey: id)?.events.finish() }
            default: break
            }
        }
    }

    /// The server pings an idle socket: one without any message is dead, whatever the system says.
    private func closeWhenSilent(_ socket: any TransportSocket) async {
        let limit = Duration.seconds(60)
        var silence = Duration.zero
        while silence < limit {
            do { try await Task.sleep(for: limit - silence) } catch { return }
            silence = ContinuousClock.now - lastMessage
        }
        await socket.close()
    }

    private func subscribe(_ id: String) async {
        guard let subscription = subscriptions[id] else { return }
        let request = subscription.request
        subscriptions[id]?.subscribedAfter = subscription.cursor
        let payload = endpoint.envelope(
            request.document, request.variables(subscription.cursor), asText: subscription.sendsText)
        await send(["id": .string(id), "type": .string("subscribe"), "payload": .object(payload)])
        subscription.events.yield(.connected)
    }

    /// A ping carries the newest cursor, and is the time to hand over a token that was renewed.
    private func answer(_ payload: JSONValue?) async {
        var pong: [String: JSONValue] = ["type": .string("pong")]
        if let payload { pong["payload"] = payload }
        await send(pong)
        if let cursor = payload?.object?["cursor"]?.text {
            for id in subscriptions.keys {
                subscriptions[id]?.cursor = cursor
                subscriptions[id]?.events.yield(.cursor(cursor))
            }
        }
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
        if let cursor = subscription.request.cursor(response) { subscriptions[id]?.cursor = cursor }
        subscription.events.yield(.next(response))
    }

    /// Ends a subscription. One whose document the server does not know by its ID is sent again as text.
    private func fail(_ message: JSONObject) async {
        guard let id = message["id"]?.text, let subscription = subscriptions[id] else { return }
        let refusal = RequestRefused((message["payload"]?.list ?? []).map { ResponseError($0) })
        if refusal.isUnknownDocument, !subscription.sendsText {
            subscriptions[id]?.sendsText = true
            // A ping that crossed the `subscribe` brought a cursor up to which this subscription was sent nothing.
            subscriptions[id]?.cursor = subscription.subscribedAfter
            return await subscribe(id)
        }
        subscriptions[id] = nil
        subscription.events.finish(throwing: refusal)
    }

    private func finish(throwing error: any Error) {
        for subscription in subscriptions.values { subscription.events.finish(throwing: error) }
        subscriptions = [:]
    }

    private func send(_ members: [String: JSONValue]) async {
        // A message that cannot be sent is of a socket that is about to end.
        try? await socket?.send(text(members))
    }

    private func text(_ members: [String: JSONValue]) -> String {
        JSONValue.object(JSONObject(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })).jsonText
    }
}
