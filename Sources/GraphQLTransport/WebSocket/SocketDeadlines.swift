import NIOCore

/// The deadlines of a socket.
struct SocketDeadlines {
    /// A deadline that has passed.
    enum Event: Equatable {
        /// The client did not answer a close frame, or does not read.
        case isGone
        case connectionInitMissing
        case authenticationTooSlow
        case conclusionTooSlow
        case keepAliveDue
    }

    /// When `connection_init` must have arrived.
    private(set) var connectionInit: NIODeadline
    /// When the socket is closed after its session has ended, even if operations still have events to send.
    private(set) var conclusion = NIODeadline.distantFuture
    private var keepAlive: NIODeadline
    private var authentication = NIODeadline.distantFuture
    private var write = NIODeadline.distantFuture
    private var close = NIODeadline.distantFuture
    private let limits: HTTPLimits
    private let streams: StreamLimits

    init(_ limits: HTTPLimits, _ streams: StreamLimits, at now: NIODeadline) {
        self.limits = limits
        self.streams = streams
        connectionInit = now + streams.connectionInitTimeout
        keepAlive = now + streams.keepAlive
    }

    /// The channel must be writable again within `writeTimeout`.
    mutating func writabilityChanged(_ isWritable: Bool, at now: NIODeadline) {
        write = isWritable ? .distantFuture : now + limits.writeTimeout
    }

    mutating func connectionInitReceived() { connectionInit = .distantFuture }

    mutating func authenticationBegan(at now: NIODeadline) { authentication = now + limits.executionTimeout }
    mutating func authenticationEnded() { authentication = .distantFuture }
    var isAuthenticating: Bool { authentication != .distantFuture }

    /// - Returns: whether this is the first call.
    mutating func sessionEnded(at now: NIODeadline) -> Bool {
        if conclusion != .distantFuture { return false }
        conclusion = now + streams.conclusionTimeout
        return true
    }

    /// The client gets two seconds to answer the close frame.
    /// RFC 6455, 7.1.1 Close the WebSocket Connection
    mutating func closing(at now: NIODeadline) { close = now + .seconds(2) }

    /// The next deadline that has passed; nil once there is none.
    mutating func next(at now: NIODeadline) -> Event? {
        if close <= now || write <= now { return .isGone }
        if Self.take(&connectionInit, at: now) { return .connectionInitMissing }
        if Self.take(&authentication, at: now) { return .authenticationTooSlow }
        if Self.take(&conclusion, at: now) { return .conclusionTooSlow }
        if keepAlive <= now {
            keepAlive = now + streams.keepAlive
            return .keepAliveDue
        }
        return nil
    }

    private static func take(_ deadline: inout NIODeadline, at now: NIODeadline) -> Bool {
        if deadline > now { return false }
        deadline = .distantFuture
        return true
    }
}
