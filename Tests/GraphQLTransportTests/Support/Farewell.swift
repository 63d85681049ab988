import GraphQL
import Synchronization

/// Greets, and takes leave before its subscriber is parted from.
final class Farewell: AsyncSequence, ConcludingEvents {
    typealias Element = String

    private let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation
    private let staysOn: Bool

    /// - Parameter staysOn: whether it does not end when it is told to.
    init(staysOn: Bool) {
        self.staysOn = staysOn
        (events, continuation) = AsyncStream.makeStream()
        continuation.yield("Hello")
    }

    func conclude() {
        continuation.yield("Goodbye")
        if !staysOn { continuation.finish() }
    }

    func makeAsyncIterator() -> AsyncStream<String>.AsyncIterator { events.makeAsyncIterator() }
}
