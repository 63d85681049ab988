/// The state of the services that a server depends on.
public enum Readiness: Sendable, Equatable {
    case ready
    /// Queries work, mutations do not.
    case readsOnly
    /// - Parameter reason: the text for `/readyz`, without secrets.
    case notReady(reason: String)
}
