import GraphQL

/// A context that belongs to a client's session. A subscription ends with its session, and a WebSocket is closed with
/// the code 4403.
public protocol SessionContext: ExecutionContext {
    /// The session's ID; nil for an anonymous client. A WebSocket's credentials can be renewed only for the same
    /// session.
    var sessionID: String? { get }

    /// Whether the session expired or was revoked. Called once a second for each open stream, on its event loop, so it
    /// must not block.
    var hasSessionEnded: Bool { get }

    /// The time until the session expires; nil where it does not expire. Called as often as `hasSessionEnded`.
    var sessionTimeLeft: Duration? { get }

    /// Registers a callback for the session's revocation, which may come on any thread. Without it a revocation is
    /// noticed within a second.
    /// - Returns: a function that ends the watch; nil where no revocation is reported.
    func onSessionEnd(_ notify: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?
}

extension SessionContext {
    public var sessionTimeLeft: Duration? { nil }

    public func onSessionEnd(_ notify: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? { nil }
}

extension SessionContext {
    /// The time until the session must be checked again, where the check once a second would be late; nil otherwise.
    var nextSessionCheck: Duration? {
        guard let left = sessionTimeLeft, left < .seconds(1) else { return nil }
        return max(left, .milliseconds(1))
    }
}
