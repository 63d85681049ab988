import ChangeFeed
import GraphQL
import Synchronization

enum SessionState: String, LeafValue, CaseIterable {
    case anonymous = "ANONYMOUS"
    case signedIn = "SIGNED_IN"
    case signedOut = "SIGNED_OUT"
}

/// The state of the session that a client connection was opened with.
struct SessionChange: ObjectValue {
    let state: SessionState
    let account: ViewerAccount?

    static let signedOut = SessionChange(state: .signedOut, account: nil)

    static let binding: Binding = ObjectBinding<SessionChange, RequestContext>("SessionChange") { change in
        change.field("state", \.state)
        change.field("viewer", \.account)
    }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.stream("sessionChanges") { try await SessionEvents($0.context) }
    }
}

/// The states of one session, of which SIGNED_OUT is the last. A request without a session gets SIGNED_OUT alone.
private final class SessionEvents: AsyncSequence, ConcludingEvents {
    typealias Element = SessionChange

    private let events: AsyncThrowingStream<SessionChange, any Error>
    private let sender: Sender

    /// Sends each state that differs from the one before, and ends the events after SIGNED_OUT.
    private final class Sender: Sendable {
        private let continuation: AsyncThrowingStream<SessionChange, any Error>.Continuation
        private let state = Mutex<SessionState?>(nil)

        init(_ continuation: AsyncThrowingStream<SessionChange, any Error>.Continuation, _ first: SessionChange) {
            self.continuation = continuation
            send(first)
        }

        func send(_ change: SessionChange) {
            state.withLock { state in
                if change.state == state { return }
                state = change.state
                continuation.yield(change)
            }
            if change.state == .signedOut { continuation.finish() }
        }
    }

    init(_ context: RequestContext) async throws {
        // The changes are subscribed to before the first state is read, so that no later change is missed.
        let accountChanges = try await context.viewer.asyncMap {
            try await ChangeStream(AccountChanges(account: $0.userID), after: nil, context)
        }
        let first = try await context.sessionChange()
        let (events, continuation) = AsyncThrowingStream.makeStream(of: SessionChange.self)
        let sender = Sender(continuation, first)
        self.events = events
        self.sender = sender
        guard let accountChanges, first.state != .signedOut else { return }
        let task = Task {
            do {
                for try await _ in accountChanges { sender.send(try await context.sessionChange()) }
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
    }

    /// Sends SIGNED_OUT. The client connection calls this method when the session has ended.
    func conclude() { sender.send(.signedOut) }

    func makeAsyncIterator() -> AsyncThrowingStream<SessionChange, any Error>.AsyncIterator {
        events.makeAsyncIterator()
    }
}

extension RequestContext {
    fileprivate func sessionChange() async throws -> SessionChange {
        guard viewer != nil, let account = try await start(CurrentViewer()).value.first else {
            return .signedOut
        }
        return SessionChange(state: account.isAnonymous ? .anonymous : .signedIn, account: account)
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        if let self { try await transform(self) } else { nil }
    }
}
