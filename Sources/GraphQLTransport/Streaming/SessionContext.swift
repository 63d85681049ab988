import GraphQL

/// A context that belongs to a client's session. A subscription ends with its session, and a WebSocket is closed with
/// the code 4403.
public protocol SessionContext: ExecutionContext {
    /// The session's ID; nil for a client that is signed out. A WebSocket that has a session can renew its credentials
    /// only for the same session.
    var sessionID: String? { get }

    /// True where the context's credentials have expired, or their session was revoked. Called at least once a second
    /// for each open subscription over HTTP and each WebSocket, on its event loop, so it must not block.
    var hasSessionEnded: Bool { get }

    /// The time until the context's credentials expire; nil where they do not expire. Called as often as
    /// `hasSessionEnded`.
    var sessionTimeLeft: Duration? { get }

    /// Registers a callback, which is called on any thread when the session is revoked. Without the callback, a
    /// revocation is noticed within a second.
    /// - Returns: a function that ends the watch; nil where no revocation is reported.
    func onSessionEnd(_ notify: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)?
}

extension SessionContext {
    public var sessionTimeLeft: Duration? { nil }

    public func onSessionEnd(_ notify: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? { nil }
}

extension SessionContext {
    /// The time until the context's credentials expire, if that is less than a second; nil otherwise. The regular
    /// check, once a second, may notice such an end too late.
    var nextSessionCheck: Duration? {
        guard let left = sessionTimeLeft, left < .seconds(1) else { return nil }
        return max(left, .milliseconds(1))
    }
}
