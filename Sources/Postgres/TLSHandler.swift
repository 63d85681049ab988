import CLibpq
import NIOCore

/// Encrypts and decrypts the messages of a session whose TLS handshake libpq has made, with libpq's own OpenSSL state.
///
/// The state reads and writes memory in place of libpq's socket from now on. A renegotiation does not exist in
/// TLS 1.3, and PostgreSQL forbids it in TLS 1.2.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// OpenSSL's `SSL_ERROR_WANT_READ`.
    private static let wantsMore: Int32 = 2
    private static let chunk = 16384

    enum Failure: Error {
        /// OpenSSL could not decrypt what came.
        case cannotDecrypt
        case cannotEncrypt
    }

    /// Owns `tls`.
    private let session: LibpqSession
    private let tls: OpaquePointer
    private let arrived: OpaquePointer
    private let leaving: OpaquePointer

    /// nil where the session's messages are not encrypted.
    init?(_ session: LibpqSession) {
        guard let tls = session.tls, let arrived = BIO_new(BIO_s_mem()), let leaving = BIO_new(BIO_s_mem()) else {
            return nil
        }
        self.session = session
        self.tls = tls
        self.arrived = arrived
        self.leaving = leaving
        // `tls` takes ownership of both.
        SSL_set_bio(tls, arrived, leaving)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let input = unwrapInboundIn(data)
        input.withUnsafeReadableBytes { bytes in
            _ = BIO_write(arrived, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
        }
        var plain = context.channel.allocator.buffer(capacity: max(TLSHandler.chunk, input.readableBytes))
        while true {
            var count: Int32 = 0
            plain.writeWithUnsafeMutableBytes(minimumWritableBytes: TLSHandler.chunk) { room in
                ERR_clear_error()
                count = SSL_read(tls, room.baseAddress, Int32(truncatingIfNeeded: room.count))
                return Int(max(0, count))
            }
            if count > 0 { continue }
            if plain.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(plain)) }
            if SSL_get_error(tls, count) != TLSHandler.wantsMore { context.fireErrorCaught(Failure.cannotDecrypt) }
            break
        }
        // An answer of OpenSSL's own, such as to an update of keys.
        if let answer = encrypted(context) { context.writeAndFlush(wrapOutboundOut(answer), promise: nil) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let plain = unwrapOutboundIn(data)
        let written = plain.withUnsafeReadableBytes { bytes in
            ERR_clear_error()
            return SSL_write(tls, bytes.baseAddress, Int32(truncatingIfNeeded: bytes.count))
        }
        guard Int(written) == plain.readableBytes, let encrypted = encrypted(context) else {
            promise?.fail(Failure.cannotEncrypt)
            return context.fireErrorCaught(Failure.cannotEncrypt)
        }
        context.write(wrapOutboundOut(encrypted), promise: promise)
    }

    /// What OpenSSL wants to send; nil where it wants nothing.
    private func encrypted(_ context: ChannelHandlerContext) -> ByteBuffer? {
        let count = Int(BIO_ctrl_pending(leaving))
        guard count > 0 else { return nil }
        var bytes = context.channel.allocator.buffer(capacity: count)
        bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
            Int(max(0, BIO_read(leaving, room.baseAddress, Int32(truncatingIfNeeded: room.count))))
        }
        return bytes
    }
}
