import Foundation
import Testing

@testable import TertuliaClient

/// A transport whose answers a test gives.
actor ScriptedServer: Transport {
    typealias Answer = @Sendable (_ operation: String, _ variables: JSONObject) async throws -> String

    private let answer: Answer
    private(set) var requests: [(operation: String, variables: JSONObject, token: String?)] = []
    private(set) var sockets: [ScriptedSocket] = []
    private var refusesSockets = false
    private var opening: Gate?
    /// How often a socket was asked for.
    private(set) var connects = 0

    /// - Parameter answer: returns the response as JSON, or throws what the transport is to throw.
    init(_ answer: @escaping Answer) { self.answer = answer }

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        let envelope = try #require(try JSONValue(json: request.body).object)
        let name = envelope["operationName"]?.text ?? ""
        let variables = envelope["variables"]?.object ?? JSONObject()
        let token = request.headers.first { $0.name == "Authorization" }?.value
        requests.append((name, variables, token))
        return HTTPAnswer(status: 200, body: Array(try await answer(name, variables).utf8))
    }

    func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        #expect(url.scheme == "ws")
        #expect(name == "graphql-transport-ws")
        connects += 1
        await opening?.wait()
        if refusesSockets { throw TransportError("The network is down.") }
        let socket = ScriptedSocket()
        sockets.append(socket)
        return socket
    }

    func refuseSockets(_ refuses: Bool) { refusesSockets = refuses }

    /// Lets sockets open when the gate does.
    func openSockets(_ gate: Gate) { opening = gate }

    func count(of operation: String) -> Int { requests.filter { $0.operation == operation }.count }

    /// The socket that was opened as the `number`th, once it is.
    func socket(_ number: Int) async throws -> ScriptedSocket {
        while sockets.count < number { try await Task.sleep(for: .milliseconds(2)) }
        return sockets[number - 1]
    }
}

/// A socket between the client and a test.
final class ScriptedSocket: TransportSocket {
    let messages: AsyncThrowingStream<String, any Error>
    private let incoming: AsyncThrowingStream<String, any Error>.Continuation
    private let sent: AsyncStream<JSONObject>
    private let outgoing: AsyncStream<JSONObject>.Continuation

    init() {
        (messages, incoming) = AsyncThrowingStream.makeStream(of: String.self, throwing: (any Error).self)
        (sent, outgoing) = AsyncStream.makeStream(of: JSONObject.self)
    }

    func send(_ text: String) async throws {
        outgoing.yield(try #require(try JSONValue(json: Array(text.utf8)).object))
    }

    func close() async {
        incoming.finish(throwing: SocketClosed(code: 1000, reason: ""))
        outgoing.finish()
    }

    // MARK: - The server's side

    func say(_ text: String) { incoming.yield(text) }

    func hangUp(code: Int = 1006) { incoming.finish(throwing: SocketClosed(code: code, reason: "")) }

    /// The client's next message of a type.
    func next(_ type: String) async throws -> JSONObject {
        for await message in sent where message["type"]?.text == type { return message }
        throw TransportError("The client sent no \(type).")
    }

    /// Acknowledges the connection.
    /// - Returns: the first `subscribe`.
    func accept() async throws -> JSONObject {
        _ = try await next("connection_init")
        say(#"{"type":"connection_ack"}"#)
        return try await next("subscribe")
    }

    /// Answers the ping that the client sends after its subscriptions: the server has read them.
    func confirm() async throws {
        guard let payload = try await next("ping")["payload"] else { throw TransportError("The ping has no payload.") }
        say(#"{"type":"pong","payload":\#(payload.jsonText)}"#)
    }

    /// Waits until the client closes the socket.
    func closed() async { for await _ in sent {} }
}

/// A folder that ends with the test.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("tertulia-client-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Credentials in memory.
final class MemoryCredentials: CredentialStore, @unchecked Sendable {
    private let lock = NSLock()
    private var credentials: Credentials?
    private var deviceTokens = DeviceTokens()

    init(_ credentials: Credentials? = nil) { self.credentials = credentials }

    func load() throws -> Credentials? { lock.withLock { credentials } }
    func save(_ credentials: Credentials?) throws { lock.withLock { self.credentials = credentials } }
    func loadDeviceTokens() throws -> DeviceTokens { lock.withLock { deviceTokens } }
    func save(_ tokens: DeviceTokens) throws { lock.withLock { deviceTokens = tokens } }
}

extension Credentials {
    static func example(_ account: String = "viewer_1", token: String = "first", endsIn seconds: TimeInterval = 900)
        -> Credentials
    {
        Credentials(
            account: Account(id: account, isAnonymous: false), accessToken: token,
            accessTokenEnds: Date.now.addingTimeInterval(seconds), refreshToken: "refresh-" + token, deviceToken: nil)
    }
}
