import GraphQL

enum SessionState: String, LeafValue, CaseIterable {
    case anonymous = "ANONYMOUS"
    case signedIn = "SIGNED_IN"
    case signedOut = "SIGNED_OUT"
}

/// The state of the session that a connection was opened with.
struct SessionChange: ObjectValue {
    let state: SessionState
    let account: ViewerAccount?

    static let binding: Binding = ObjectBinding<SessionChange, RequestContext>("SessionChange") { change in
        change.field("state", \.state)
        change.field("viewer", \.account)
    }

    static func subscription(_ subscription: inout ObjectFields<Root, RequestContext>) {
        subscription.stream("sessionChanges") { context in
            let context = context.context
            let first = try await context.sessionChange()
            let account = try await context.viewer.asyncMap {
                try await ChangeStream(.account($0.userID), after: nil, context)
            }
            return AsyncThrowingStream<SessionChange, any Error> { continuation in
                continuation.yield(first)
                let task = Task {
                    do {
                        try await watch(context, account, first.state) { continuation.yield($0) }
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { _ in task.cancel() }
            }
        }
    }

    /// Until the session has ended, or for ever where there is none.
    private static func watch(
        _ context: RequestContext, _ account: ChangeStream?, _ state: SessionState,
        _ tell: @escaping @Sendable (SessionChange) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // The poller of revocations reads as often.
                while !context.hasSessionEnded { try await Task.sleep(for: .milliseconds(500)) }
                tell(SessionChange(state: .signedOut, account: nil))
            }
            if let account {
                group.addTask {
                    var state = state
                    for try await _ in account {
                        let change = try await context.sessionChange()
                        if change.state == state { continue }
                        state = change.state
                        tell(change)
                    }
                }
            }
            try await group.next()
            group.cancelAll()
        }
    }
}

extension RequestContext {
    fileprivate func sessionChange() async throws -> SessionChange {
        guard viewer != nil, let account = try await start(CurrentViewer()).value.first else {
            return SessionChange(state: .signedOut, account: nil)
        }
        return SessionChange(state: account.isAnonymous ? .anonymous : .signedIn, account: account)
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        if let self { try await transform(self) } else { nil }
    }
}
