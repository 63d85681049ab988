import NIOCore
import NIOPosix
import NIOWebSocket

/// The subscribed sockets of each event loop.
final class Subscribers: Sendable {
    private final class Sockets {
        var contexts: [ObjectIdentifier: ChannelHandlerContext] = [:]
    }

    private let loops: [NIOLoopBound<Sockets>]
    private let eventLoops: [any EventLoop]

    init(_ group: MultiThreadedEventLoopGroup) async throws {
        eventLoops = Array(group.makeIterator())
        var loops: [NIOLoopBound<Sockets>] = []
        for loop in eventLoops {
            loops.append(try await loop.submit { NIOLoopBound(Sockets(), eventLoop: loop) }.get())
        }
        self.loops = loops
    }

    private func sockets(of loop: any EventLoop) -> Sockets {
        loops[eventLoops.firstIndex { $0 === loop } ?? 0].value
    }

    func add(_ context: ChannelHandlerContext) {
        sockets(of: context.eventLoop).contexts[ObjectIdentifier(context)] = context
    }

    func remove(_ context: ChannelHandlerContext) {
        sockets(of: context.eventLoop).contexts[ObjectIdentifier(context)] = nil
    }

    /// Sends the event to all sockets. Its text is encoded once.
    func broadcast(_ event: ByteBuffer) {
        for (loop, sockets) in zip(eventLoops, loops) {
            loop.execute {
                for context in sockets.value.contexts.values {
                    context.writeAndFlush(
                        NIOAny(WebSocketFrame(fin: true, opcode: .text, data: event)), promise: nil)
                }
            }
        }
    }
}
