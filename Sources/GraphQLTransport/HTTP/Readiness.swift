/// Whether the services that a server depends on work.
public enum Readiness: Sendable, Equatable {
    case ready
    /// Queries work, mutations do not.
    case readsOnly
    /// - Parameter reason: the text for `/readyz`, without secrets.
    case notReady(reason: String)
}
