import Cryptography
import Glibc
import NIOCore
import NIOHTTP1

/// The length of the body behind a head, by the head's fields.
/// RFC 9112, 6.3 Message Body Length
enum BodyFraming: Equatable {
    case length(Int)
    case chunked

    init(_ head: HTTPRequestHead) {
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 14 where equalsIgnoringCase(name, "content-length"):
                self = .length(Int(value) ?? 0)
                return
            case 17 where equalsIgnoringCase(name, "transfer-encoding"):
                self = .chunked
                return
            default: continue
            }
        }
        self = .length(0)
    }
}

/// A handler in front of the decoder. It starts the deadline of a head with the first byte, and bounds the extensions
/// of chunks: the decoder reports neither.
final class RequestFraming: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum State {
        case head
        /// A body of which this number of bytes is still to come.
        case body(Int)
        case chunks(ChunkFraming)
        /// The client exceeded a limit: its further bytes are discarded.
        case refused
    }

    private let connection: HTTPConnection
    private let limits: HTTPLimits
    private var state = State.head
    private var headEnd = HeadEnd()
    /// The bytes of the current read that are not handed on yet.
    private var unread = ByteBuffer()

    init(_ connection: HTTPConnection, _ limits: HTTPLimits) {
        self.connection = connection
        self.limits = limits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unread = unwrapInboundIn(data)
        while unread.readableBytes > 0 {
            switch state {
            case .head: readHead(context)
            case .body(let rest): readBody(rest, context)
            case .chunks(let chunks): readChunks(chunks, context)
            case .refused: unread = ByteBuffer()
            }
        }
    }

    /// Called at an upgrade, which can happen within a read: the bytes behind the request belong to the other protocol.
    func handlerRemoved(context: ChannelHandlerContext) {
        if unread.readableBytes > 0 { forward(unread.readableBytes, context) }
    }

    /// A head is handed on without the bytes behind it, so that the body's framing is known before the body is read.
    private func readHead(_ context: ChannelHandlerContext) {
        connection.bytesArrived()
        guard let count = headEnd.find(in: unread.readableBytesView) else {
            return forward(unread.readableBytes, context)
        }
        forward(count, context)
        switch connection.takeFraming() {
        case .length(let length): if length > 0 { state = .body(length) }
        case .chunked: state = .chunks(ChunkFraming(limits))
        // The bytes were no head: empty lines before a request, or bytes that the decoder refused.
        case nil: break
        }
    }

    private func readBody(_ rest: Int, _ context: ChannelHandlerContext) {
        let count = min(rest, unread.readableBytes)
        state = count == rest ? .head : .body(rest - count)
        forward(count, context)
    }

    private func readChunks(_ chunks: ChunkFraming, _ context: ChannelHandlerContext) {
        var chunks = chunks
        switch unread.withUnsafeReadableBytes({ chunks.read($0) }) {
        case .more:
            state = .chunks(chunks)
            forward(unread.readableBytes, context)
        case .end(let count):
            state = .head
            forward(count, context)
        case .tooManyExtensions:
            state = .refused
            connection.violated(.chunkExtensionsTooLong)
        }
    }

    private func forward(_ count: Int, _ context: ChannelHandlerContext) {
        // Most reads are one part, which needs no slice.
        if count == unread.readableBytes {
            let all = unread
            unread = ByteBuffer()
            context.fireChannelRead(wrapInboundOut(all))
        } else if let part = unread.readSlice(length: count) {
            context.fireChannelRead(wrapInboundOut(part))
        }
    }
}

/// Finds the blank line at the end of a head that may come in several reads.
struct HeadEnd {
    /// How many bytes of CRLF CRLF have matched so far.
    private var matched = 0

    /// - Returns: the number of bytes up to the end of the head, nil where the end is not among them.
    mutating func find(in bytes: ByteBufferView) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var next = 0
            while next < bytes.count {
                if matched == 0 {
                    // `memchr` skips the bytes before the next line end.
                    guard let found = memchr(bytes.baseAddress! + next, 13, bytes.count - next) else { return nil }
                    next = UnsafeRawPointer(found) - bytes.baseAddress!
                }
                let byte = bytes[next]
                let expected: UInt8 = matched.isMultiple(of: 2) ? 13 : 10
                matched = byte == expected ? matched + 1 : (byte == 13 ? 1 : 0)
                next += 1
                if matched == 4 {
                    matched = 0
                    return next
                }
            }
            return nil
        }
    }
}

/// Follows a chunked body to find its end, and bounds its chunk extensions, which the server does not use.
/// RFC 9112, 7.1 Chunked Transfer Coding
struct ChunkFraming {
    enum Outcome: Equatable {
        /// All bytes belong to the body, which goes on.
        case more
        /// The body ends after this number of bytes.
        case end(Int)
        case tooManyExtensions
    }

    private enum State {
        /// In the line with a chunk's size.
        case size
        /// In a chunk of which this number of bytes is still to come, the CRLF at its end included.
        case data(Int)
        /// In the trailer section, with the number of bytes read of the current line.
        case trailer(Int)
    }

    private var state = State.size
    private var size = 0
    /// The number of hexadecimal digits in the current line so far.
    private var digits = 0
    private var hasDigitsOnly = true
    /// The bytes of extensions in the current line.
    private var lineExcess = 0
    /// The bytes of extensions in the body so far.
    private var excess = 0
    private let maxChunk: Int
    private let maxBody: Int

    init(_ limits: HTTPLimits) {
        maxChunk = limits.chunkExtensionSize
        maxBody = limits.chunkExtensionsSize
    }

    /// Finds the end of the body and counts extensions. Malformed chunks are left to the decoder to refuse.
    mutating func read(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        var next = 0
        while next < bytes.count {
            switch state {
            case .data(let rest):
                let count = min(rest, bytes.count - next)
                next += count
                state = count == rest ? .size : .data(rest - count)
            case .size:
                if let outcome = readSize(bytes[next]) { return outcome }
                next += 1
            case .trailer(let length):
                let byte = bytes[next]
                next += 1
                if byte != 10 {
                    state = .trailer(byte == 13 ? length : length + 1)
                } else if length == 0 {
                    return .end(next)
                } else {
                    state = .trailer(0)
                }
            }
        }
        return .more
    }

    /// Digits beyond 16 count as an extension, since the number of leading zeros has no bound of its own.
    private mutating func readSize(_ byte: UInt8) -> Outcome? {
        if byte == 10 {
            state = size == 0 ? .trailer(0) : .data(size + 2)
            (size, digits, hasDigitsOnly, lineExcess) = (0, 0, true, 0)
            return nil
        }
        if hasDigitsOnly, let digit = Hex.digit(byte) {
            // The mask prevents an overflow. The decoder refuses a size that does not fit.
            size = (size & (Int.max >> 5)) << 4 | Int(digit)
            digits += 1
            if digits <= 16 { return nil }
        } else {
            hasDigitsOnly = false
            if byte == 13 { return nil }
        }
        lineExcess += 1
        excess += 1
        return lineExcess > maxChunk || excess > maxBody ? .tooManyExtensions : nil
    }
}
