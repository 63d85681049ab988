import GraphQL
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization
import TestSupport

@testable import GraphQLTransport

/// A server of `TestSchema` on a free port, for as long as the body runs.
struct TestServer: Sendable {
    let port: Int
    let log: LogLines
    let metrics: MetricRegistry
    private let group: ServiceGroup

    /// Tells the server to stop, as SIGTERM does; `run` then waits for it.
    func stop() async { await group.triggerGracefulShutdown() }

    /// - Parameter eventLoops: the event loops of the server's connections.
    static func run(
        on eventLoops: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        _ configure: (inout GraphQLServer<TestContext>) -> Void = { _ in },
        _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        let log = LogLines()
        var settings = ServerSettings()
        settings.port = 0
        settings.accessLog = .all
        // Many tests run at once, and each client and operation may be slow. A test of a deadline uses a `ManualClock`, or
        // sets a short deadline if nothing else in the test has to happen before it.
        settings.streams.connectionInitTimeout = .minutes(10)
        settings.streams.keepAlive = .minutes(10)
        settings.streams.stallTimeout = .minutes(10)
        settings.streams.conclusionTimeout = .minutes(10)
        settings.streams.reservationTimeout = .minutes(10)
        settings.limits.headerTimeout = .minutes(10)
        settings.limits.bodyTimeout = .minutes(10)
        settings.limits.idleTimeout = .minutes(10)
        settings.limits.executionTimeout = .minutes(10)
        settings.limits.writeTimeout = .minutes(10)
        settings.limits.drainTimeout = .minutes(10)
        let logger = Logger(label: "test") { label in
            StructuredLogHandler(label: label, format: .json, level: .debug, write: log.append)
        }
        var server = GraphQLServer(
            schema: try TestSchema.make(), settings: settings, logger: logger, authenticate: TestContext.authenticate)
        server.schemaDocument = TestSchema.definitions
        configure(&server)
        server.eventLoops = eventLoops
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
            // After an error the server is cancelled, and does not drain: an operation may wait for a gate that the body
            // did not open.
            try await body(TestServer(port: port, log: log, metrics: metrics, group: group))
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

    /// The first line that has the text, once there is one.
    func line(with text: String, fileID: StaticString = #fileID, line: UInt = #line) async throws -> String {
        var found: String?
        try await eventually("a line with \(text) among \(all)", fileID: fileID, line: line) {
            found = all.first { $0.contains(text) }
            return found != nil
        }
        return found ?? ""
    }
}
