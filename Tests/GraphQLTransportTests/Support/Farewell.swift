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

/// Says a last word when its subscriber is parted from, and then stays on. It is always caught up, at the place "last".
final class Parting: AsyncSequence, ConcludingEvents, ResumableEvents {
    typealias Element = Board.Post

    private let gate: String
    private let events: AsyncStream<Board.Post>
    private let continuation: AsyncStream<Board.Post>.Continuation

    /// - Parameter gate: the gate that opens when the last word was received.
    init(gate: String) {
        self.gate = gate
        (events, continuation) = AsyncStream.makeStream()
    }

    var position: StreamPosition? { StreamPosition("last", isCaughtUp: true) }

    func conclude() {
        let gate = gate
        continuation.yield(Board.Post(text: "Goodbye", audience: nil) { Gate.named(gate).open() })
    }

    func makeAsyncIterator() -> AsyncStream<Board.Post>.AsyncIterator { events.makeAsyncIterator() }
}
