import App

/// The clients that may read the schema by introspection, and whose errors suggest names of the schema.
enum Introspection: String, Sendable, CaseIterable {
    /// All clients. The SDL is also served at `/schema.graphql`.
    case all
    /// Accounts that have signed up. Anonymous accounts do not count, because anybody can make one without an e-mail
    /// address.
    case members
    case none

    func isOpen(to context: App.RequestContext) -> Bool {
        switch self {
        case .all: true
        case .members: context.isMember
        case .none: false
        }
    }
}
