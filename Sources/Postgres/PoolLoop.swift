import NIOCore

/// What a pool keeps on one event loop: its connections that are confined to it. To be used on that event loop, but for
/// `eventLoop` and `isCurrent`.
final class PoolLoop: @unchecked Sendable {
    let eventLoop: any EventLoop
    /// The channel of connection n is at n divided by `count`.
    private var channels: [PooledChannel?]
    /// The number of event loops.
    private let count: Int
    /// The channels that have something to send at the end of this tick.
    private var unflushed: [PooledChannel] = []
    /// Whether a look at the deadlines is scheduled.
    var isTimed = false

    init(_ eventLoop: any EventLoop, of count: Int, connections: Int) {
        self.eventLoop = eventLoop
        self.count = count
        channels = Array(repeating: nil, count: (connections + count - 1) / count)
    }

    var isCurrent: Bool { eventLoop.inEventLoop }

    /// Runs the body on the event loop, at once where the caller is on it.
    func run(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { eventLoop.execute(body) }
    }

    // MARK: Connections

    /// nil where the lease's session has ended.
    func channel(of lease: Lease) -> PooledChannel? {
        guard let channel = channels[lease.connection / count], channel.lease == lease else { return nil }
        return channel
    }

    func add(_ channel: PooledChannel) { channels[channel.lease.connection / count] = channel }

    /// - Returns: whether the channel was still there.
    func remove(_ channel: PooledChannel) -> Bool {
        let index = channel.lease.connection / count
        guard channels[index] === channel else { return false }
        channels[index] = nil
        return true
    }

    var all: [PooledChannel] { channels.compactMap { $0 } }

    var hasInFlight: Bool { channels.contains { $0?.connection.hasInFlight ?? false } }

    // MARK: Sending

    /// Writes what the requests of this tick send on the channel, once all of them have.
    func flushSoon(_ channel: PooledChannel) {
        unflushed.append(channel)
        if unflushed.count == 1 { eventLoop.execute { self.flush() } }
    }

    private func flush() {
        let channels = unflushed
        unflushed.removeAll(keepingCapacity: true)
        for channel in channels { channel.flush() }
    }
}
