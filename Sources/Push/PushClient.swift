import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix

/// The reason why a request was not sent.
public enum PushError: Error, Equatable {
    /// The address is not one of the form `https://host/…`.
    case notAnAddress
    /// The host's name resolves to an address that is not public.
    case privateAddress
    /// The host's name does not resolve.
    case unresolvable
}

/// Sends requests to push services, over HTTP/2 where the service supports it.
///
/// Unless private addresses are allowed, the client resolves the host's name itself and connects to the address that it
/// checked, so that a second look-up cannot lead to a private address (DNS rebinding). Redirections are not followed.
public actor PushClient {
    /// The response of a push service.
    public struct Response: Sendable {
        /// The HTTP status.
        public let status: Int
        /// The first kilobyte of the body.
        public let body: [UInt8]

        public init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    /// An HTTP client for one host. Unless private addresses are allowed, the client is pinned to the address that the
    /// host's name had when the client was made. It is shut down when neither `clients` nor a request refers to it.
    private final class HostClient: Sendable {
        let client: HTTPClient
        let madeAt: ContinuousClock.Instant = .now

        init(_ configuration: HTTPClient.Configuration) {
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }

        var isFresh: Bool { .now - madeAt < .seconds(300) }

        // AsyncHTTPClient traps in a debug build if a client is released before it is shut down.
        deinit { client.shutdown { _ in } }
    }

    private static let maximumHosts = 16

    private let allowsPrivateAddresses: Bool
    private let deadline: TimeAmount
    private var clients: [String: HostClient] = [:]

    /// - Parameters:
    ///   - allowsPrivateAddresses: allows any host and port, over HTTP too; for tests and push services on premises.
    ///   - deadline: for one response, in seconds.
    public init(allowsPrivateAddresses: Bool = false, deadline: Int64 = 10) {
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.deadline = .seconds(deadline)
    }

    /// - Throws: `PushError` if the address is refused; errors of AsyncHTTPClient if the connection fails.
    public func send(_ request: PushRequest) async throws -> Response {
        var message = HTTPClientRequest(url: request.url)
        message.method = .POST
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        message.body = .bytes(request.body)
        let host = try await hostClient(for: request.url)
        defer { withExtendedLifetime(host) {} }
        let response = try await host.client.execute(message, timeout: deadline)
        var body: [UInt8] = []
        for try await part in response.body {
            body += part.readableBytesView.prefix(1024 - body.count)
            if body.count == 1024 { break }
        }
        return Response(status: Int(response.status.code), body: body)
    }

    /// Closes the clients in `clients`; their requests in flight fail.
    public func shutdown() async {
        let ended = clients
        clients = [:]
        for host in ended.values { try? await host.client.shutdown() }
    }

    private func hostClient(for url: String) async throws -> HostClient {
        guard let scheme = url.firstRange(of: "://") else { throw PushError.notAnAddress }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let parts = authority.split(separator: ":", maxSplits: 1)
        guard let host = parts.first.map(String.init), !host.contains("@"), !host.contains("[") else {
            throw PushError.notAnAddress
        }
        let isAddress =
            allowsPrivateAddresses
            ? ["http", "https"].contains(url[..<scheme.lowerBound]) : url.hasPrefix("https://") && parts.count == 1
        guard isAddress else { throw PushError.notAnAddress }
        if let known = clients[host], known.isFresh { return known }
        let address = allowsPrivateAddresses ? nil : try await Self.publicAddress(of: host)
        // Another send may have made a client while the name was resolved.
        if let known = clients[host], known.isFresh { return known }
        return replaceClient(of: host, address: address)
    }

    /// - Parameter address: the address to connect to, or nil to let the client resolve the name.
    private func replaceClient(of host: String, address: String?) -> HostClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: deadline, read: deadline))
        if let address { configuration.dnsOverride = [host: address] }
        let client = HostClient(configuration)
        clients[host] = client
        if clients.count > Self.maximumHosts,
            let oldest = clients.min(by: { $0.value.madeAt < $1.value.madeAt })
        {
            clients[oldest.key] = nil
        }
        return client
    }

    /// The first address of the host's name.
    /// - Throws: `PushError.privateAddress` if any address of the name is not public.
    private static func publicAddress(of host: String) async throws -> String {
        try await NIOThreadPool.singleton.runIfActive {
            var hints = addrinfo()
            hints.ai_socktype = streamSocket
            var list: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, "443", &hints, &list) == 0, let first = list else { throw PushError.unresolvable }
            defer { freeaddrinfo(first) }
            var addresses: [String] = []
            for entry in sequence(first: first, next: { $0.pointee.ai_next }) {
                guard let (text, bytes) = numeric(entry.pointee) else { continue }
                guard PublicAddress.isPublic(bytes) else { throw PushError.privateAddress }
                addresses.append(text)
            }
            guard let address = addresses.first else { throw PushError.unresolvable }
            return address
        }
    }
}
