import Crypto
import Cryptography
import Glibc
import Push
import Testing

/// A push service of the tests' own: answers one request a connection, and keeps what it got.
private struct LoopbackService {
    let port: UInt16
    private let listener: Int32

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let bound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        try #require(bound)
        port = UInt16(bigEndian: address.sin_port)
    }

    struct Request: Sendable {
        let head: [String]
        let body: [UInt8]

        func header(_ name: String) -> String? {
            let line = head.first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
            return line.map { String($0.dropFirst(name.count + 2)) }
        }
    }

    /// Takes one connection, answers with the status, and gives what was asked.
    func answer(_ status: String) async -> Request {
        await withCheckedContinuation { continuation in
            let listener = listener
            Thread.detach {
                let connection = accept(listener, nil, nil)
                defer { close(connection) }
                var received: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 8192)
                var request = Request(head: [], body: [])
                while true {
                    let count = read(connection, &buffer, buffer.count)
                    if count <= 0 { break }
                    received += buffer.prefix(count)
                    guard let end = received.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
                    let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                        .split(separator: "\r\n").map(String.init)
                    request = Request(head: head, body: Array(received[end.upperBound...]))
                    if request.body.count >= Int(request.header("content-length") ?? "0") ?? 0 { break }
                }
                let response = Array("HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 2\r\n\r\nno".utf8)
                _ = write(connection, response, response.count)
                continuation.resume(returning: request)
            }
        }
    }

    func stop() { close(listener) }
}

/// A thread of its own: it waits for a connection.
private enum Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    static func detach(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let body = Unmanaged.passRetained(Body(run))
        pthread_create(
            &thread, nil,
            { argument in
                argument.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        pthread_detach(thread)
    }
}

@Suite(.timeLimit(.minutes(10))) struct PushClientTests {
    @Test func aBrowserReadsWhatWasSent() async throws {
        let service = try LoopbackService()
        let client = PushClient(allowsPrivateAddresses: true, deadline: 300)
        let browser = P256.KeyAgreement.PrivateKey()
        let server = P256.Signing.PrivateKey()
        let secret = SecureRandom.bytes(16)
        let subscription = Subscription(
            endpoint: "http://127.0.0.1:\(service.port)/push/abc", publicKey: browser.publicKey,
            authenticationSecret: secret)
        let request = try subscription.request(
            Array("{\"text\":\"Ben liked “First”.\"}".utf8), topic: "topic",
            vapid: VAPID(key: server, contact: "https://example.org"), now: 1_800_000_000)
        // A task of its own, so that an error of the client ends the test without waiting for the service.
        let received = Task { await service.answer("201 Created") }
        let response = try await client.send(request)
        let got = await received.value
        #expect(response.status == 201)
        #expect(response.body == Array("no".utf8))
        #expect(got.head.first == "POST /push/abc HTTP/1.1")
        #expect(got.header("content-encoding") == "aes128gcm")
        #expect(got.header("ttl") == "86400")
        #expect(got.header("topic") == "topic")
        let opened = ContentEncryption.open(got.body, key: browser, authenticationSecret: secret)
        #expect(opened.map { String(decoding: $0, as: UTF8.self) } == "{\"text\":\"Ben liked “First”.\"}")
        let header = try #require(got.header("authorization"))
        let token = header.dropFirst(8).prefix { $0 != "," }.split(separator: ".")
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Base64.url.decode(token[2].utf8)))
        #expect(server.publicKey.isValidSignature(signature, for: Array("\(token[0]).\(token[1])".utf8)))
        let claims = String(decoding: try #require(Base64.url.decode(token[1].utf8)), as: UTF8.self)
        #expect(claims.contains("\"aud\":\"http://127.0.0.1:\(service.port)\""))
        await client.shutdown()
        service.stop()
    }

    @Test func aRedirectionIsAnAnswer() async throws {
        let service = try LoopbackService()
        let client = PushClient(allowsPrivateAddresses: true, deadline: 300)
        let device = APNsDevice(token: "ab", topic: "dev.tertulia", isSandbox: true)
        let request = device.request(
            Array("{}".utf8), collapseID: "n", authorization: "t", server: "http://127.0.0.1:\(service.port)")
        let received = Task { await service.answer("302 Found\r\nLocation: http://127.0.0.1:1/") }
        #expect(try await client.send(request).status == 302)
        let got = await received.value
        #expect(got.head.first == "POST /3/device/ab HTTP/1.1")
        #expect(got.header("authorization") == "bearer t")
        #expect(got.header("apns-topic") == "dev.tertulia")
        await client.shutdown()
        service.stop()
    }

    @Test func aFailureEndsItsConnection() async throws {
        let service = try LoopbackService()
        service.stop()
        let device = APNsDevice(token: "ab", topic: "dev.tertulia", isSandbox: true)
        let request = device.request(
            [], collapseID: "n", authorization: "t", server: "http://127.0.0.1:\(service.port)")
        let client = PushClient(allowsPrivateAddresses: true, deadline: 1)
        // Goes out of scope without a shutdown, as after an error.
        await #expect(throws: (any Error).self) { try await client.send(request) }
    }

    @Test(arguments: [
        "http://127.0.0.1:1/", "http://push.example.net/", "https://localhost/", "https://127.0.0.1/", "https://[::1]/",
        "https://user@127.0.0.1/", "https://2130706433/", "https://0x7f.1/", "ftp://127.0.0.1/", "",
    ])
    func isNotLedAstray(_ url: String) async throws {
        let client = PushClient()
        let device = Subscription(
            endpoint: url, publicKey: P256.KeyAgreement.PrivateKey().publicKey,
            authenticationSecret: SecureRandom.bytes(16))
        let request = try device.request(
            [], topic: "t", vapid: VAPID(key: P256.Signing.PrivateKey(), contact: "https://example.org"),
            now: 0)
        await #expect(throws: PushError.self) { try await client.send(request) }
        await client.shutdown()
    }
}
