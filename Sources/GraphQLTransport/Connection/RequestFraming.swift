import Cryptography
import Glibc
import NIOCore
import NIOHTTP1

/// How long the body behind a head is.
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

/// Stands before the decoder, which tells nothing of a head before its end and nothing of a chunk's extensions: starts
/// the clock of a head that comes byte by byte, and bounds the extensions.
final class RequestFraming: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum State {
        case head
        /// So many bytes are still to come.
        case body(Int)
        case chunks(ChunkFraming)
        /// The client broke the rules: nothing more of it is read.
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

    /// An upgrade, which the head alone can bring about: the bytes after the head belong to the other protocol.
    func handlerRemoved(context: ChannelHandlerContext) {
        if unread.readableBytes > 0 { handOn(unread.readableBytes, context) }
    }

    /// Heads and bodies are handed on apart, so that a body's framing is known before its first byte is looked at.
    private func readHead(_ context: ChannelHandlerContext) {
        connection.bytesArrived()
        guard let count = headEnd.find(in: unread.readableBytesView) else {
            return handOn(unread.readableBytes, context)
        }
        handOn(count, context)
        switch connection.takeFraming() {
        case .length(let length): if length > 0 { state = .body(length) }
        case .chunked: state = .chunks(ChunkFraming(limits))
        // Empty lines before a request, or what the decoder has refused.
        case nil: break
        }
    }

    private func readBody(_ rest: Int, _ context: ChannelHandlerContext) {
        let count = min(rest, unread.readableBytes)
        state = count == rest ? .head : .body(rest - count)
        handOn(count, context)
    }

    private func readChunks(_ chunks: ChunkFraming, _ context: ChannelHandlerContext) {
        var chunks = chunks
        switch unread.withUnsafeReadableBytes({ chunks.read($0) }) {
        case .more:
            state = .chunks(chunks)
            handOn(unread.readableBytes, context)
        case .end(let count):
            state = .head
            handOn(count, context)
        case .tooManyExtensions:
            state = .refused
            connection.violated(.chunkExtensionsTooLong)
        }
    }

    private func handOn(_ count: Int, _ context: ChannelHandlerContext) {
        // Most reads are one part: no slice is made of them.
        if count == unread.readableBytes {
            let all = unread
            unread = ByteBuffer()
            context.fireChannelRead(wrapInboundOut(all))
        } else if let part = unread.readSlice(length: count) {
            context.fireChannelRead(wrapInboundOut(part))
        }
    }
}

/// Finds the blank line at the end of a head, however its bytes are cut.
struct HeadEnd {
    /// How many bytes of CRLF CRLF the last ones were.
    private var matched = 0

    /// - Returns: the number of bytes up to the end of the head, nil where it is not among them.
    mutating func find(in bytes: ByteBufferView) -> Int? {
        bytes.withUnsafeBytes { bytes in
            var next = 0
            while next < bytes.count {
                if matched == 0 {
                    // Most bytes of a head are none of its line ends.
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

/// Follows a chunked body, to know where it ends and how much of it is extensions, which are for nobody.
/// RFC 9112, 7.1 Chunked Transfer Coding
struct ChunkFraming {
    enum Outcome: Equatable {
        /// All of it was the body's.
        case more
        /// The body ended after so many bytes.
        case end(Int)
        case tooManyExtensions
    }

    private enum State {
        /// In the line before a chunk.
        case size
        /// In a chunk, with so many bytes still to come, the line's end behind them included.
        case data(Int)
        /// Behind the last chunk, with so many bytes of the line read.
        case trailer(Int)
    }

    private var state = State.size
    private var size = 0
    /// The number of hexadecimal digits in the current line so far.
    private var digits = 0
    private var hasDigitsOnly = true
    private var lineExcess = 0
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

    /// Digits beyond the 16 that a size can have count as an extension: zeros may be as many as there are bytes.
    private mutating func readSize(_ byte: UInt8) -> Outcome? {
        if byte == 10 {
            state = size == 0 ? .trailer(0) : .data(size + 2)
            (size, digits, hasDigitsOnly, lineExcess) = (0, 0, true, 0)
            return nil
        }
        if hasDigitsOnly, let digit = Hex.digit(byte) {
            // A size beyond all bounds is refused by the decoder.
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
