import NIOCore

/// The limits of the memory and the time that one client can take for streams and sockets.
public struct StreamLimits: Sendable {
    /// The time from the handshake to `connection_init`.
    public var connectionInitTimeout = TimeAmount.seconds(3)
    /// The greatest length of one WebSocket message, in bytes over all its fragments.
    public var messageSize = 64 << 10
    /// The greatest number of fragments of one WebSocket message.
    public var messageFragments = 1_024
    /// The greatest number of operations under way over one WebSocket or one event stream.
    public var operations = 20
    /// The greatest number of events that wait for a client to read them.
    public var queuedEvents = 256
    /// The greatest length of the events that wait, in bytes.
    public var queuedBytes = 1 << 20
    /// How long an operation waits for room in a full queue before it ends.
    public var stallTimeout = TimeAmount.seconds(1)
    /// The time that operations have to send their last events after their session has ended.
    public var conclusionTimeout = TimeAmount.seconds(1)
    /// The time between two keep-alive messages of the server. A WebSocket is closed when its client has sent nothing
    /// between two of them.
    public var keepAlive = TimeAmount.seconds(12)
    /// The time from the reservation of an event stream to its opening.
    public var reservationTimeout = TimeAmount.seconds(30)
    /// The greatest number of reserved event streams, of all clients, that were not opened yet.
    public var reservations = 10_000

    public init() {}
}
