/// How far what a server depends on works.
public enum Readiness: Sendable, Equatable {
    case ready
    /// Queries work, mutations do not.
    case readsOnly
    /// - Parameter reason: what `/readyz` tells of it, without secrets.
    case notReady(reason: String)
}
