import GraphQL

/// A context that belongs to a session. What streams in it ends with the session: a WebSocket closes with 4403.
public protocol SessionContext: ExecutionContext {
    /// Names the session; nil where nobody is signed in. A connection's credentials can be renewed for the same
    /// session only.
    var sessionID: String? { get }

    /// Whether the session expired or was revoked. Asked once a second for each open stream, on its event loop: a
    /// look-up, nothing that waits.
    var hasSessionEnded: Bool { get }
}
