/// What happens to the session, for stores that keep their own state.
public enum UserEvent: Sendable, Equatable {
    /// An earlier run of the app was signed in, and this one is still.
    case userIdentified(Account)
    case userLoggedIn(Account)
    /// The server refused to sign in or up, or has ended the session. The text is for people where the server gives one.
    case userAuthFailed(String)
    case userLoggedOut
}

extension UserEvent {
    static func failure(_ error: any Error) -> UserEvent {
        switch error {
        case let error as UserErrors: .userAuthFailed(error.faults.first?.message ?? "")
        case let error as RequestRefused: .userAuthFailed(error.errors.first?.message ?? "")
        default: .userAuthFailed("\(error)")
        }
    }
}
