import Glibc
import Logging
import NIOCore

/// A handler of the listening socket. It stops accepting for one second when the system has no descriptor or memory for
/// another connection.
///
/// NIO's own `AcceptBackoffHandler` only delays reads: the failed read stays pending, and the selector reports the same
/// waiting connection again and again.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let codes = [EMFILE, ENFILE, ENOBUFS, ENOMEM]
    private static let pause = TimeAmount.seconds(1)

    private let logger: Logger
    private var isPaused = false

    init(logger: Logger) { self.logger = logger }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let code = (error as? IOError)?.errnoCode, Self.codes.contains(code) else {
            return context.fireErrorCaught(error)
        }
        if isPaused { return }
        isPaused = true
        logger.warning(
            "connections cannot be accepted for the moment", metadata: ["error": "\(String(cString: strerror(code)))"])
        let channel = context.channel
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: Self.pause) {
            handler.value.isPaused = false
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
