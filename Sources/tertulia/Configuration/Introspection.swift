import App

/// The clients that may read the schema: by introspection, by suggestions in errors, and as SDL.
enum Introspection: String, Sendable, CaseIterable {
    /// All clients. The SDL is also served at `/schema.graphql`.
    case all
    /// Accounts that have signed up, to which rates and suspensions apply. Anonymous accounts cost nothing to make.
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
