import ClientOperations
import Foundation
import TestSupport
import Testing

@testable import TertuliaClient

/// A transport whose answers a test gives.
actor ScriptedServer: Transport {
    typealias Answer = @Sendable (_ operation: String, _ variables: JSONObject) async throws -> String

    private let answer: Answer
    private(set) var requests: [(operation: String, variables: JSONObject, token: String?)] = []
    /// The bodies of the requests.
    private(set) var envelopes: [JSONObject] = []
    private(set) var sockets: [ScriptedSocket] = []
    private var refusesSockets = false

    /// - Parameter answer: returns the response as JSON, or throws what the transport is to throw.
    init(_ answer: @escaping Answer) { self.answer = answer }

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        let envelope = try #require(Self.envelope(in: request.body))
        let name = envelope["operationName"]?.text ?? ""
        let variables = envelope["variables"]?.object ?? JSONObject()
        let token = request.headers.first { $0.name == "Authorization" }?.value
        requests.append((name, variables, token))
        envelopes.append(envelope)
        return HTTPAnswer(status: 200, body: Array(try await answer(name, variables).utf8))
    }

    /// - Parameter body: JSON, or a form whose first part is JSON.
    private static func envelope(in body: [UInt8]) -> JSONObject? {
        if let json = try? JSONValue(json: body) { return json.object }
        let form = String(decoding: body, as: UTF8.self)
        guard let start = form.range(of: "\r\n\r\n")?.upperBound,
            let end = form.range(of: "\r\n--", range: start..<form.endIndex)?.lowerBound
        else { return nil }
        return (try? JSONValue(json: Array(form[start..<end].utf8)))?.object
    }

    func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        #expect(url.scheme == "ws")
        #expect(name == "graphql-transport-ws")
        if refusesSockets { throw TransportError("The network is down.") }
        let socket = await ScriptedSocket()
        sockets.append(socket)
        return socket
    }

    func refuseSockets(_ refuses: Bool) { refusesSockets = refuses }

    func count(of operation: String) -> Int { requests.filter { $0.operation == operation }.count }

    /// The socket that was opened as the `number`th, once it is.
    nonisolated func socket(
        _ number: Int, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> ScriptedSocket {
        try await eventualValue("socket number \(number)", fileID: fileID, line: line) {
            let sockets = await sockets
            return sockets.count < number ? nil : sockets[number - 1]
        }
    }
}

/// A socket between the client and a test.
final class ScriptedSocket: TransportSocket {
    let messages: AsyncThrowingStream<String, any Error>
    private let incoming: AsyncThrowingStream<String, any Error>.Continuation
    private let sent: Watcher<JSONObject>
    private let outgoing: AsyncStream<JSONObject>.Continuation

    init() async {
        (messages, incoming) = AsyncThrowingStream.makeStream(of: String.self, throwing: (any Error).self)
        let (stream, continuation) = AsyncStream.makeStream(of: JSONObject.self)
        outgoing = continuation
        sent = await Watcher(stream)
    }

    func send(_ text: String) async throws {
        outgoing.yield(try #require(try JSONValue(json: Array(text.utf8)).object))
    }

    func close() async { incoming.finish(throwing: SocketClosed(code: 1000, reason: "")) }

    // MARK: - The server's side

    func say(_ text: String) { incoming.yield(text) }

    func hangUp(code: Int = 1006) { incoming.finish(throwing: SocketClosed(code: code, reason: "")) }

    /// The client's next message of a type.
    func next(_ type: String, fileID: StaticString = #fileID, line: UInt = #line) async throws -> JSONObject {
        while true {
            let message = try await sent.next(fileID: fileID, line: line)
            if message["type"]?.text == type { return message }
        }
    }

    /// Acknowledges the connection.
    /// - Returns: the first `subscribe`.
    func accept(fileID: StaticString = #fileID, line: UInt = #line) async throws -> JSONObject {
        _ = try await next("connection_init", fileID: fileID, line: line)
        say(#"{"type":"connection_ack"}"#)
        return try await next("subscribe", fileID: fileID, line: line)
    }
}

/// A gate for scripted answers: `pass()` returns once the gate is open or the task is cancelled.
actor Gate {
    private var isOpen = false
    private var waiting: [AsyncStream<Never>.Continuation] = []

    func pass() async {
        if isOpen { return }
        let (opening, continuation) = AsyncStream.makeStream(of: Never.self)
        waiting.append(continuation)
        for await _ in opening {}
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.finish() }
        waiting = []
    }
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

    init(_ credentials: Credentials? = nil) { self.credentials = credentials }

    func load() throws -> Credentials? { lock.withLock { credentials } }
    func save(_ credentials: Credentials?) throws { lock.withLock { self.credentials = credentials } }
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
