import GraphQL
import NIOCore
import NIOHTTP1

/// What is known of a request before its body: the material of authentication and of the log.
public struct RequestHead: Sendable {
    public let method: HTTPMethod
    /// The request target as it came: path and query.
    public let target: String
    /// The address of the client, or of the nearest untrusted hop where proxies are trusted.
    public let clientAddress: String
    public internal(set) var requestID: RequestID
    public let traceContext: TraceContext?
    /// The value of the Authorization header, or of what stands for it in the payload of `connection_init`.
    public internal(set) var authorization: String?
    /// The payload of `connection_init`, where the request came over a WebSocket.
    public internal(set) var connectionParameters: InputObject?

    let accept: String?
    let contentType: String?
    let contentEncoding: String?
    let origin: String?
    /// The protocols that the client would rather speak.
    let upgrade: String?
    let isKeepAlive: Bool
    let isHTTP10: Bool
    private let fields: HTTPHeaders

    /// The first field of that name, in whatever case.
    public subscript(name: String) -> String? { fields.first(name: name) }

    /// The values of a list header, over all its fields.
    /// RFC 9110, 5.3 Field Order
    func values(_ name: String) -> [String] { fields[name] }

    /// One pass over the fields: each further look-up would be a pass of its own.
    init(_ head: HTTPRequestHead, peerAddress: String, trustedProxies: Int) {
        var authorization, accept, contentType, contentEncoding, origin, requestID, traceparent, upgrade: String?
        var forwarded = [String]()
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 6 where equalsIgnoringCase(name, "accept"): accept = accept.map { "\($0),\(value)" } ?? value
            case 6 where equalsIgnoringCase(name, "origin"): origin = value
            case 7 where equalsIgnoringCase(name, "upgrade"): upgrade = value
            case 11 where equalsIgnoringCase(name, "traceparent"): traceparent = value
            case 12 where equalsIgnoringCase(name, "content-type"): contentType = value
            case 12 where equalsIgnoringCase(name, "x-request-id"): requestID = value
            case 13 where equalsIgnoringCase(name, "authorization"): authorization = value
            case 16 where equalsIgnoringCase(name, "content-encoding"): contentEncoding = value
            case 15 where trustedProxies > 0 && equalsIgnoringCase(name, "x-forwarded-for"):
                forwarded += value.split(separator: ",").map(trimmed)
            default: break
            }
        }
        method = head.method
        target = head.uri
        clientAddress = Self.address(forwarded, trustedProxies) ?? peerAddress
        self.requestID = requestID.flatMap(RequestID.init(client:)) ?? .make()
        traceContext = traceparent.flatMap(TraceContext.init(traceparent:))
        self.authorization = authorization
        self.accept = accept
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.origin = origin
        self.upgrade = upgrade
        isKeepAlive = head.isKeepAlive
        isHTTP10 = head.version.major == 1 && head.version.minor == 0
        fields = head.headers
    }

    /// Each proxy appends the address that it saw: only the last ones were written by those whom we trust. nil for
    /// what is no address, such as `unknown`.
    private static func address(_ forwarded: [String], _ trustedProxies: Int) -> String? {
        guard !forwarded.isEmpty else { return nil }
        let address = forwarded[max(0, forwarded.count - trustedProxies)]
        return (try? SocketAddress(ipAddress: address, port: 0)).map { _ in address }
    }

    /// The target without its query.
    var path: Substring { target.prefix { $0 != "?" } }

    /// What follows the question mark.
    var query: Substring {
        guard let mark = target.firstIndex(of: "?") else { return "" }
        return target[target.index(after: mark)...].prefix { $0 != "#" }
    }
}

/// ASCII letters only, as field names have no others.
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
