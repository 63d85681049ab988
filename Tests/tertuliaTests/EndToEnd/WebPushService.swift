import Crypto
import Cryptography
import Dispatch
import FoundationEssentials
import Glibc
import GraphQL
import Push
import Synchronization

/// A push service over loopback and the browsers behind it: takes what RFC 8030 and RFC 8292 let it take, and opens it
/// as RFC 8291 has a browser do.
final class WebPushService: Sendable {
    /// A browser's subscription.
    struct Browser: Sendable {
        let name: String
        let key = P256.KeyAgreement.PrivateKey()
        let secret = SecureRandom.bytes(16)

        /// As PushTargetInput has it.
        func target(_ origin: String) -> String {
            let encode: ([UInt8]) -> String = { Base64.url.encode($0) }
            return """
                {webPush: {endpoint: "\(origin)/push/\(name)", \
                p256dh: "\(encode(Array(key.publicKey.x963Representation)))", auth: "\(encode(secret))"}}
                """
        }
    }

    private struct State {
        var browsers: [String: Browser] = [:]
        /// What each browser showed.
        var shown: [String: [String]] = [:]
        var refused: [String] = []
    }

    let port: UInt16
    private let listener: Int32
    private let state = Mutex(State())

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LoopbackSocket.address(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw LoopbackSocket.NotConnected() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        DispatchQueue(label: "push service").async { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0, let self else { return }
                serve(LoopbackSocket(connection))
            }
        }
    }

    func stop() { _ = shutdown(listener, Int32(SHUT_RDWR)) }

    var origin: String { "http://127.0.0.1:\(port)" }

    func subscribe(_ name: String) -> Browser {
        let browser = Browser(name: name)
        state.withLock { $0.browsers[name] = browser }
        return browser
    }

    var shown: [String: [String]] { state.withLock { $0.shown } }
    var refused: [String] { state.withLock { $0.refused } }

    private func serve(_ connection: LoopbackSocket) {
        connection.readInBackground { [self] bytes in
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
            let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
            let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }.filter { $0.count == 2 }
            let headers = Dictionary(
                fields.map { ($0[0].lowercased(), $0[1].trimmingPrefix { $0 == " " }.description) },
                uniquingKeysWith: { first, _ in first })
            let length = Int(headers["content-length"] ?? "0") ?? 0
            guard bytes.count >= end.upperBound + length else { return }
            let body = Array(bytes[end.upperBound..<(end.upperBound + length)])
            bytes.removeSubrange(..<(end.upperBound + length))
            let status = take(String(lines.first ?? ""), headers, body)
            connection.send(Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n".utf8))
        }
    }

    private func take(_ request: String, _ headers: [String: String], _ body: [UInt8]) -> String {
        let path = request.split(separator: " ").dropFirst().first ?? ""
        let name = String(path.dropFirst("/push/".count))
        return state.withLock { state in
            guard request.hasPrefix("POST /push/"), let browser = state.browsers[name] else {
                state.refused.append("\(request): nobody")
                return "404 Not Found"
            }
            guard Int(headers["ttl"] ?? "").map({ $0 >= 0 }) == true, headers["content-encoding"] == "aes128gcm",
                body.count <= 4096
            else {
                state.refused.append("\(request): RFC 8030, \(headers)")
                return "400 Bad Request"
            }
            if let problem = Self.problem(with: headers["authorization"] ?? "", origin: origin) {
                state.refused.append("\(request): \(problem)")
                return "403 Forbidden"
            }
            let message = ContentEncryption.open(body, key: browser.key, authenticationSecret: browser.secret)
            state.shown[name, default: []].append(message.map { String(decoding: $0, as: UTF8.self) } ?? "unreadable")
            return "201 Created"
        }
    }

    /// RFC 8292, section 2: a token that the key of the header has signed for this origin, of at most a day.
    private static func problem(with authorization: String, origin: String) -> String? {
        guard let match = authorization.wholeMatch(of: /vapid t=([^,]+), ?k=(.+)/) else { return "no vapid" }
        let parts = match.1.split(separator: ".").map(String.init)
        guard parts.count == 3,
            let point = Base64.url.decode(String(match.2)),
            let key = try? P256.Signing.PublicKey(x963Representation: point),
            let bytes = Base64.url.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8))
        else { return "no signature" }
        guard let bytes = Base64.url.decode(parts[1]), case .object(let claims)? = try? parseJSON(bytes) else {
            return "no claims"
        }
        let now = Int(Date().timeIntervalSince1970)
        guard case .string(origin)? = claims["aud"] else { return "another audience" }
        guard case .int(let expiry)? = claims["exp"], (now - 60...now + 86_400).contains(expiry) else {
            return "expired"
        }
        guard case .string(let contact)? = claims["sub"], contact.hasPrefix("http") || contact.hasPrefix("mailto:")
        else {
            return "no contact"
        }
        return nil
    }
}
