import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A collector that answers each request with the next of its answers, and the last one from then on.
final class TestCollector: Sendable {
    typealias Answer = (status: HTTPResponseStatus, body: String)

    private struct State {
        var answers: [Answer]
        var requests: [(path: String, body: String)] = []
    }

    private let state: Mutex<State>

    init(_ answers: [Answer]) { state = Mutex(State(answers: answers)) }

    var requests: [(path: String, body: String)] { state.withLock { $0.requests } }

    /// Serves while `body` runs, which gets the collector's URL.
    func run<R>(_ body: (String) async throws -> R) async throws -> R {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Handler(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<R, any Error>
        do {
            result = .success(try await body("http://127.0.0.1:\(server.localAddress?.port ?? 0)"))
        } catch {
            result = .failure(error)
        }
        try await server.close()
        return try result.get()
    }

    private func answer(_ path: String, _ body: String) -> Answer {
        state.withLock { state in
            state.requests.append((path, body))
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let collector: TestCollector
        private var path = ""
        private var body = ""

        init(_ collector: TestCollector) { self.collector = collector }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (path, body) = (head.uri, "")
            case .body(let bytes): body += String(buffer: bytes)
            case .end:
                let answer = collector.answer(path, body)
                let headers = HTTPHeaders([("Content-Length", "\(answer.body.utf8.count)")])
                let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: answer.body)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}

extension EventLoopGroup where Self == MultiThreadedEventLoopGroup {
    fileprivate static var singletonMultiThreadedEventLoopGroup: Self { .singleton }
}
