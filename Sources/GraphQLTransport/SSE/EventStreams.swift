import Cryptography
import NIOCore
import Synchronization

/// The streams of single connection mode, by their tokens.
final class EventStreams: Sendable {
    private let limits: StreamLimits
    private let streams = Mutex<[String: EventStream]>([:])

    init(_ limits: StreamLimits) { self.limits = limits }

    /// nil where too many were reserved and never opened.
    func reserve(on eventLoop: any EventLoop) -> EventStream? {
        let stream = EventStream(token: Base64.url.encode(SecureRandom.bytes(24)), limits: limits)
        let isReserved = streams.withLock { streams in
            if streams.count >= limits.reservations
                && streams.values.count(where: { !$0.isOpen }) >= limits.reservations
            {
                return false
            }
            streams[stream.token] = stream
            return true
        }
        guard isReserved else { return nil }
        eventLoop.scheduleTask(in: limits.reservationTimeout) { [weak self, weak stream] in
            if let stream, !stream.isOpen { self?.close(stream) }
        }
        return stream
    }

    subscript(token: String) -> EventStream? { streams.withLock { $0[token] } }

    func close(_ stream: EventStream) {
        streams.withLock { _ = $0.removeValue(forKey: stream.token) }
        stream.close()
    }
}
