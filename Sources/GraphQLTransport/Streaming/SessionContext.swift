import GraphQL

/// A context that belongs to a session. What streams in it ends with the session: a WebSocket closes with 4403.
public protocol SessionContext: ExecutionContext {
    /// Names the session; nil where nobody is signed in. A connection's credentials can be renewed for the same
    /// session only.
    var sessionID: String? { get }

    /// Whether the session expired or was revoked. Asked once a second for each open stream, on its event loop: a
    /// look-up, nothing that waits.
    var hasSessionEnded: Bool { get }

    /// How long it takes until the session expires; nil where it does not. Asked as often.
    var sessionTimeLeft: Duration? { get }

    /// Calls back, on any thread, when the session is revoked. Without it streams hear of that within a second.
    /// - Returns: a function that ends the watch; nil where there is nothing to watch.
    func onSessionEnd(_ notify: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?
}

extension SessionContext {
    public var sessionTimeLeft: Duration? { nil }

    public func onSessionEnd(_ notify: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? { nil }
}

extension SessionContext {
    /// When to look at the session again, where the clock that looks once a second would be late.
    var nextLook: Duration? {
        guard let left = sessionTimeLeft, left < .seconds(1) else { return nil }
        return max(left, .milliseconds(1))
    }
}
