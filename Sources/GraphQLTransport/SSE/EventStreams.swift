import Cryptography
import NIOCore
import Synchronization

/// The streams of graphql-sse's single connection mode, by their tokens.
final class EventStreams: Sendable {
    /// Closes a reserved stream that is not opened in time.
    private final class Reservation: Ticking {
        private let stream: EventStream
        private let streams: EventStreams

        init(_ stream: EventStream, in streams: EventStreams) {
            self.stream = stream
            self.streams = streams
        }

        func tick(at now: NIODeadline) { if !stream.isOpen { streams.close(stream) } }
    }

    private let limits: StreamLimits
    private let streams = Mutex<[String: EventStream]>([:])

    init(_ limits: StreamLimits) { self.limits = limits }

    /// Reserves a stream; nil if too many streams are reserved but not opened.
    /// - Parameter executor: the executor of the caller's event loop.
    func reserve(on executor: EventLoopExecutor) -> EventStream? {
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
        executor.clock.wake(Reservation(stream, in: self), at: .now() + limits.reservationTimeout)
        return stream
    }

    subscript(token: String) -> EventStream? { streams.withLock { $0[token] } }

    func close(_ stream: EventStream) {
        streams.withLock { _ = $0.removeValue(forKey: stream.token) }
        stream.close()
    }
}
