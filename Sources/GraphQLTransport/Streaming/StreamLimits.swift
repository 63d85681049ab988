import NIOCore

/// Bounds of what one client can make the server hold or wait for while operations stream.
public struct StreamLimits: Sendable {
    /// From the handshake to `connection_init`.
    public var connectionInitTimeout = TimeAmount.seconds(3)
    /// Bytes of one WebSocket message, over all its fragments.
    public var messageSize = 64 << 10
    /// Fragments of one WebSocket message.
    public var messageFragments = 1_024
    /// Operations under way over one connection.
    public var operations = 20
    /// Events that wait for a client to read them.
    public var queuedEvents = 256
    /// Bytes of the events that wait.
    public var queuedBytes = 1 << 20
    /// How long a full queue may stay full before the operation that has another event ends.
    public var stallTimeout = TimeAmount.seconds(1)
    /// How long operations have for what they still owe once their session has ended.
    public var conclusionTimeout = TimeAmount.seconds(1)
    /// Between two signs of life that the server sends; a WebSocket peer that has sent nothing from one to the next is
    /// taken for dead.
    public var keepAlive = TimeAmount.seconds(12)
    /// From the reservation of an event stream to its opening.
    public var reservationTimeout = TimeAmount.seconds(30)
    /// Reserved event streams that were not opened yet, over all clients.
    public var reservations = 10_000

    public init() {}
}
