import Foundation

/// Carries requests and sockets, by SwiftNIO, by URLSession, or within a test.
public protocol Transport: Sendable {
    /// Sends one HTTP request and takes the whole answer, whatever its status is.
    /// - Throws: `TransportError`.
    func send(_ request: HTTPRequest) async throws -> HTTPAnswer

    /// Opens a WebSocket.
    /// - Throws: `TransportError`.
    func connect(to url: URL, protocol name: String) async throws -> any TransportSocket
}

/// An open WebSocket. Only one reader may read its messages.
public protocol TransportSocket: Sendable {
    /// Ends with `SocketClosed` when the peer closes, and with `TransportError` when the connection breaks.
    var messages: AsyncThrowingStream<String, any Error> { get }
    func send(_ text: String) async throws
    func close() async
}

/// A `POST`.
public struct HTTPRequest: Sendable, Equatable {
    public var url: URL
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]

    public init(url: URL, headers: [(name: String, value: String)], body: [UInt8]) {
        self.url = url
        self.headers = headers
        self.body = body
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.url == right.url && left.body == right.body && left.headers.elementsEqual(right.headers, by: ==)
    }
}

public struct HTTPAnswer: Sendable {
    public var status: Int
    /// In seconds, from `Retry-After`; nil where the server names no time.
    public var retryAfter: Double?
    public var body: [UInt8]

    public init(status: Int, retryAfter: Double? = nil, body: [UInt8]) {
        self.status = status
        self.retryAfter = retryAfter
        self.body = body
    }
}

/// The network failed. The server may or may not have done the request.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library's text, for a log.
    public var description: String

    public init(_ description: String) { self.description = description }
}

/// The peer has closed a socket.
public struct SocketClosed: Error, Sendable, Equatable {
    /// The WebSocket's close code, such as 4403 where the token is refused or the session has ended.
    public var code: Int
    public var reason: String

    public init(code: Int, reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The server refuses the token, or has ended the session.
    static let tokenRefused = 4403
}
