import GraphQL
import GraphQLTransport
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// A server of `TestSchema` on a free port, for as long as the body runs.
struct TestServer: Sendable {
    let port: Int
    let log: LogLines
    let metrics: MetricRegistry
    private let group: ServiceGroup

    /// Tells the server to stop, as SIGTERM does; `run` then waits for it.
    func stop() async { await group.triggerGracefulShutdown() }

    static func run(
        _ configure: (inout GraphQLServer<TestContext>) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let log = LogLines()
        var settings = ServerSettings()
        settings.port = 0
        settings.accessLog = .all
        // Many tests run at once, so that a client may be slow to say its first word, to open a gate, to read and to
        // answer a ping. A test of a deadline sets that deadline itself.
        settings.streams.connectionInitTimeout = .minutes(10)
        settings.streams.keepAlive = .minutes(5)
        settings.limits.headerTimeout = .minutes(10)
        settings.limits.bodyTimeout = .minutes(10)
        settings.limits.executionTimeout = .minutes(10)
        settings.limits.writeTimeout = .minutes(10)
        let logger = Logger(label: "test") { label in
            StructuredLogHandler(label: label, format: .json, level: .debug, write: log.append)
        }
        var server = GraphQLServer(
            schema: try TestSchema.make(), settings: settings, logger: logger, authenticate: TestContext.authenticate)
        server.schemaDocument = TestSchema.definitions
        configure(&server)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        server.onListening = { continuation.yield($0) }
        let metrics = server.metrics
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [.init(service: server)], logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var port = 0
            for await listening in ports {
                port = listening
                break
            }
            do {
                try await body(TestServer(port: port, log: log, metrics: metrics, group: group))
            } catch {
                await group.triggerGracefulShutdown()
                throw error
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Another port of the same machine.
    func at(port: Int) -> TestServer { TestServer(port: port, log: log, metrics: metrics, group: group) }

    /// One request on a connection of its own.
    func send(
        _ method: String, _ target: String, _ headers: [(String, String)] = [], body: String? = nil
    ) async throws -> HTTPReply {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.utf8.count)\r\n" }
        let request = text + "\r\n" + (body ?? "")
        return try await connect { (connection) async throws in
            try await connection.write(request)
            return try await connection.reply(to: method)
        }
    }

    /// A GraphQL request by POST.
    func post(
        _ body: String, accept: String? = nil, _ headers: [(String, String)] = []
    ) async throws -> HTTPReply {
        let accepts = accept.map { [("Accept", $0)] } ?? []
        return try await send(
            "POST", "/graphql", [("Content-Type", "application/json")] + accepts + headers, body: body)
    }

    func connect<Result: Sendable>(
        _ body: @Sendable (inout RawConnection) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            return try await body(&connection)
        }
    }
}

/// What the server wrote to its log.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var append: @Sendable (String) -> Void { { line in self.lines.withLock { $0.append(line) } } }
    var all: [String] { lines.withLock { $0 } }

    /// The first line that has the text, waiting for it a little.
    func line(with text: String) async throws -> String? {
        for _ in 0..<100 {
            if let line = all.first(where: { $0.contains(text) }) { return line }
            try await Task.sleep(for: .milliseconds(10))
        }
        return nil
    }
}
