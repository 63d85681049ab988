import AsyncHTTPClient
import Glibc
import NIOCore
import NIOPosix

/// Why nothing was sent.
public enum PushError: Error, Equatable {
    case notAnAddress
    /// The host's name leads to this machine or to its network.
    case privateAddress
    case unresolvable
}

/// Delivers requests to push services over HTTP/2 where they speak it.
///
/// The host's name is resolved here and the connection goes to the address that was checked, so that a name cannot lead
/// somewhere else once it is connected to. Redirections are not followed.
public actor PushClient {
    public struct Response: Sendable {
        public let status: Int
        /// The first kilobyte of the body.
        public let body: [UInt8]

        public init(status: Int, body: [UInt8]) {
            self.status = status
            self.body = body
        }
    }

    /// A client of one host, with the address that its name has had since it was made. It ends with its last use.
    private final class Connection: Sendable {
        let client: HTTPClient
        let madeAt: ContinuousClock.Instant = .now

        init(_ configuration: HTTPClient.Configuration) {
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }

        var isFresh: Bool { .now - madeAt < .seconds(300) }

        // A client that is not shut down ends the process in a debug build.
        deinit { client.shutdown { _ in } }
    }

    private static let maximumHosts = 16

    private let allowsPrivateAddresses: Bool
    private let deadline: TimeAmount
    private var connections: [String: Connection] = [:]

    /// - Parameters:
    ///   - allowsPrivateAddresses: for tests and push services on premises: any host and port, by HTTP too.
    ///   - deadline: for one answer, in seconds.
    public init(allowsPrivateAddresses: Bool = false, deadline: Int64 = 10) {
        self.allowsPrivateAddresses = allowsPrivateAddresses
        self.deadline = .seconds(deadline)
    }

    public func send(_ request: PushRequest) async throws -> Response {
        var message = HTTPClientRequest(url: request.url)
        message.method = .POST
        for (name, value) in request.headers { message.headers.add(name: name, value: value) }
        message.body = .bytes(request.body)
        let connection = try await connection(for: request.url)
        defer { withExtendedLifetime(connection) {} }
        let response = try await connection.client.execute(message, timeout: deadline)
        var body: [UInt8] = []
        for try await part in response.body {
            body += part.readableBytesView.prefix(1024 - body.count)
            if body.count == 1024 { break }
        }
        return Response(status: Int(response.status.code), body: body)
    }

    /// Breaks off what is under way.
    public func shutdown() async {
        let ended = connections
        connections = [:]
        for connection in ended.values { try? await connection.client.shutdown() }
    }

    private func connection(for url: String) async throws -> Connection {
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
        if let known = connections[host], known.isFresh { return known }
        let address = allowsPrivateAddresses ? nil : try await Self.publicAddress(of: host)
        // Another send may have made one while the name was resolved.
        if let known = connections[host], known.isFresh { return known }
        return replaceConnection(of: host, address: address)
    }

    /// - Parameter address: nil for whatever the name leads to.
    private func replaceConnection(of host: String, address: String?) -> Connection {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: deadline, read: deadline))
        if let address { configuration.dnsOverride = [host: address] }
        let connection = Connection(configuration)
        connections[host] = connection
        if connections.count > Self.maximumHosts,
            let oldest = connections.min(by: { $0.value.madeAt < $1.value.madeAt })
        {
            connections[oldest.key] = nil
        }
        return connection
    }

    /// The first address of a name, if all that it has are public.
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
