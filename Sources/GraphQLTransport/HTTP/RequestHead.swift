import GraphQL
import NIOCore
import NIOHTTP1
import Synchronization

/// The part of a request that is known before its body, for authentication and the log.
public struct RequestHead: Sendable {
    public internal(set) var requestID: RequestID
    /// The value of the Authorization header, or of its counterpart in the payload of `connection_init`.
    public internal(set) var authorization: String?
    /// The payload of `connection_init`, where the request came over a WebSocket.
    public internal(set) var connectionParameters: InputObject?
    /// The number of the WebSocket that an operation came over, unique in this process; nil for any other request, also
    /// for the request that authenticates a WebSocket.
    public internal(set) var socket: UInt64?
    /// The id of the last event of this very stream that the client got; nil outside graphql-sse's distinct connections
    /// mode. It counts before a position in the operation itself, which a browser's `EventSource` sends unchanged each
    /// time that it reconnects.
    public internal(set) var lastEventID: String?
    /// The unchanging properties behind a single reference, because heads are copied often.
    private var received: Received

    public var method: HTTPMethod { received.method }
    /// The request target as it came: path and query.
    public var target: String { received.target }
    /// The address of the client, or of the nearest untrusted hop where proxies are trusted. It is the peer's address
    /// if the proxies name no address.
    public var clientAddress: String { received.clientAddress }
    /// The entry of a trusted proxy that has no address; nil where the client's address was read.
    var unreadableHop: UnreadableHop? { received.unreadableHop }
    public var traceContext: TraceContext? { received.traceContext }

    /// The response types that the client accepts.
    var accepted: AcceptedResponses { received.accepted }
    var contentType: String? { received.contentType }
    var contentEncoding: String? { received.contentEncoding }
    var origin: String? { received.origin }
    /// The value of the Upgrade header: the protocols that the client offers.
    var upgrade: String? { received.upgrade }
    var isKeepAlive: Bool { received.isKeepAlive }
    var isHTTP10: Bool { received.isHTTP10 }
    var hostCount: Int { received.hostCount }
    /// The value of Content-Length in bytes; nil where the header is missing or no number.
    var contentLength: Int? { received.contentLength }
    /// Whether the body has a transfer coding other than chunked.
    /// RFC 9112, 6.1 Transfer-Encoding
    var hasUnknownTransferCoding: Bool {
        received.transferEncoding.map { !equalsIgnoringCase(trimmed($0[...]), "chunked") } ?? false
    }
    /// Whether the client waits for 100 Continue before it sends the body.
    var expectsContinue: Bool { received.expectsContinue }

    /// The cursor from which a returning client resumes, for a subscription without a position of its own: `resumeAfter`
    /// in the payload of `connection_init`, or the header Last-Event-ID. nil for a new client.
    /// HTML, 9.2.4 The Last-Event-ID header
    public var resumeAfter: String? {
        if case .string(let position) = connectionParameters?["resumeAfter"] { return position }
        return lastPosition
    }

    /// The header Last-Event-ID. An id that only tells of a refusal is no position.
    private var lastPosition: String? {
        received.lastEventID == EventStreamMessage.signedOutID ? nil : received.lastEventID
    }

    /// The head of an operation that is answered by a stream of its own.
    func forStream(_ format: StreamFormat) -> RequestHead {
        guard format == .eventStream else { return self }
        var head = self
        head.lastEventID = lastPosition
        return head
    }

    /// True if a client of server-sent events reconnects after a refusal that it would get again.
    var endsReconnects: Bool {
        switch received.lastEventID {
        case EventStreamMessage.lastingRefusalID: true
        case EventStreamMessage.signedOutID: authorization == nil
        default: false
        }
    }

    init(_ head: HTTPRequestHead, peerAddress: String, proxies: TrustedProxies) {
        received = Received(head, peerAddress: peerAddress, proxies: proxies)
        requestID = received.requestID.flatMap(RequestID.init(client:)) ?? .make()
        authorization = received.authorization
    }

    /// The head for the operations of a WebSocket, without the header fields of the handshake.
    func forSocket(_ request: HTTPRequestHead) -> RequestHead {
        var request = request
        let handshake = [
            "Connection", "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version", "Sec-WebSocket-Extensions",
            "Sec-WebSocket-Protocol",
        ]
        for name in handshake { request.headers.remove(name: name) }
        var head = self
        head.received = Received(request, peerAddress: clientAddress, proxies: TrustedProxies())
        return head
    }

    /// The head for one operation of a WebSocket, with a request ID of its own.
    func forOperation(of socket: UInt64) -> RequestHead {
        var head = self
        head.requestID = .make()
        head.socket = socket
        return head
    }

    /// The value of the first header field of that name; upper and lower case are the same.
    public subscript(name: String) -> String? { received.fields.first(name: name) }

    /// The values of all header fields of that name.
    /// RFC 9110, 5.3 Field Order
    func values(_ name: String) -> [String] { received.fields[name] }

    /// The target without its query.
    var path: Substring { target.prefix { $0 != "?" } }

    /// Whether the target without its query equals the path, byte by byte.
    func isFor(_ path: String) -> Bool {
        guard target.utf8.starts(with: path.utf8) else { return false }
        let next = target.utf8.dropFirst(path.utf8.count).first
        return next == nil || next == UInt8(ascii: "?")
    }

    /// The query of the target, without the question mark; empty where the target has none.
    var query: Substring {
        guard let mark = target.firstIndex(of: "?") else { return "" }
        return target[target.index(after: mark)...].prefix { $0 != "#" }
    }
}

private final class Received: Sendable {
    private let accept: String?
    private let readAccept = AtomicLazyReference<AcceptedResponses>()
    let method: HTTPMethod
    let target: String
    let clientAddress: String
    let unreadableHop: UnreadableHop?
    let requestID: String?
    let traceContext: TraceContext?
    let authorization, contentType, contentEncoding, lastEventID, origin, transferEncoding, upgrade: String?
    let isKeepAlive, isHTTP10, expectsContinue: Bool
    let hostCount: Int
    let contentLength: Int?
    let fields: HTTPHeaders

    /// Reads all header fields in a single pass, because each look-up by name would be a pass of its own.
    init(_ head: HTTPRequestHead, peerAddress: String, proxies: TrustedProxies) {
        var authorization, accept, contentType, contentEncoding, lastEventID, origin, requestID: String?
        var traceparent, transferEncoding, upgrade: String?
        var forwarded = [String]()
        var hostCount = 0
        var contentLength: Int?
        var expectsContinue = false
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 4 where equalsIgnoringCase(name, "host"): hostCount += 1
            case 6 where equalsIgnoringCase(name, "expect"): expectsContinue = equalsIgnoringCase(value, "100-continue")
            case 6 where equalsIgnoringCase(name, "accept"): accept = accept.map { "\($0),\(value)" } ?? value
            case 6 where equalsIgnoringCase(name, "origin"): origin = value
            case 7 where equalsIgnoringCase(name, "upgrade"): upgrade = value
            case 11 where equalsIgnoringCase(name, "traceparent"): traceparent = value
            case 12 where equalsIgnoringCase(name, "content-type"): contentType = value
            case 12 where equalsIgnoringCase(name, "x-request-id"): requestID = value
            case 13 where equalsIgnoringCase(name, "last-event-id"): lastEventID = value.isEmpty ? nil : value
            case 13 where equalsIgnoringCase(name, "authorization"): authorization = value
            case 14 where equalsIgnoringCase(name, "content-length"): contentLength = Int(value)
            case 16 where equalsIgnoringCase(name, "content-encoding"): contentEncoding = value
            case 17 where equalsIgnoringCase(name, "transfer-encoding"):
                transferEncoding = transferEncoding.map { "\($0),\(value)" } ?? value
            case 15 where proxies.reads(.xForwardedFor) && equalsIgnoringCase(name, "x-forwarded-for"):
                forwarded.append(value)
            case 9 where proxies.reads(.forwarded) && equalsIgnoringCase(name, "forwarded"): forwarded.append(value)
            default: break
            }
        }
        method = head.method
        target = head.uri
        do {
            clientAddress = try proxies.client(in: forwarded) ?? peerAddress
            unreadableHop = nil
        } catch {
            clientAddress = peerAddress
            unreadableHop = error
        }
        self.requestID = requestID
        traceContext = traceparent.flatMap(TraceContext.init(traceparent:))
        self.authorization = authorization
        self.accept = accept
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.lastEventID = lastEventID
        self.origin = origin
        self.transferEncoding = transferEncoding
        self.upgrade = upgrade
        isKeepAlive = head.isKeepAlive
        isHTTP10 = head.version.major == 1 && head.version.minor == 0
        self.hostCount = hostCount
        self.contentLength = contentLength
        self.expectsContinue = expectsContinue
        fields = head.headers
    }

    /// The Accept header is parsed on first use.
    var accepted: AcceptedResponses {
        AcceptedResponses.common(accept) ?? readAccept.load() ?? readAccept.storeIfNil(AcceptedResponses(accept))
    }
}

/// Compares without regard to the case of ASCII letters; field names have no others.
func equalsIgnoringCase(_ text: String, _ lowercase: StaticString) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
        guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
        for index in bytes.indices {
            let byte = bytes[index]
            let folded = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            if folded != lowercase.utf8Start[index] { return false }
        }
        return true
    }
}
