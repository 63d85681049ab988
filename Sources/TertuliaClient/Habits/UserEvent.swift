/// An event of the session, for an app's stores that keep their own state, such as ReSwift's.
public enum UserEvent: Sendable, Equatable {
    /// An account was signed in before the events began, such as in an earlier run of the app.
    case userIdentified(Account)
    case userLoggedIn(Account)
    /// Signing in or up has failed, or the server has ended the session. The text is the server's, for people, where
    /// the server gives one; otherwise it tells the error.
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
