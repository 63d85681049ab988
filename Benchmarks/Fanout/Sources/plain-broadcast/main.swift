import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

// A server for the throughput of SwiftNIO alone: the body of each HTTP request, such as a POST to /publish, goes to every
// socket as one event of graphql-transport-ws. The server has no GraphQL, no database, no back-pressure and no limits.

let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
let subscribers = try await Subscribers(group)
let upgrader = NIOWebSocketServerUpgrader(
    shouldUpgrade: { channel, _ in
        channel.eventLoop.makeSucceededFuture(["Sec-WebSocket-Protocol": "graphql-transport-ws"])
    },
    upgradePipelineHandler: { channel, _ in
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(SocketHandler(subscribers))
        }
    })

let server = try await ServerBootstrap(group: group)
    .serverChannelOption(.backlog, value: 8192)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            let publisher = PublishHandler(subscribers)
            let bound = NIOLoopBound(publisher, eventLoop: channel.eventLoop)
            try channel.pipeline.syncOperations.configureHTTPServerPipeline(
                withServerUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { $0.pipeline.syncOperations.removeHandler(bound.value, promise: nil) }
                ))
            try channel.pipeline.syncOperations.addHandler(publisher)
        }
    }
    .bind(host: "127.0.0.1", port: CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 24060)
    .get()
print("listening on \(server.localAddress?.port ?? 0)")
try await server.closeFuture.get()
