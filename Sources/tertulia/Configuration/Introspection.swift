import App

/// Who may read the schema: by introspection, by suggestions in errors, and as SDL.
enum Introspection: String, Sendable, CaseIterable {
    /// Everybody, and the SDL is served at `/schema.graphql`.
    case all
    /// Accounts that have signed up, for whom rates and bans hold. Anonymous ones are free to make.
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
