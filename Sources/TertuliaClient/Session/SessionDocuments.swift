/// The mutations for sessions, passwords and e-mail addresses.
enum SessionDocuments {
    static let signUp = document("SignUp", "signUp", "SignUpInput!")
    static let signIn = document("SignIn", "signIn", "SignInInput!")
    static let signInAnonymously = document("SignInAnonymously", "signInAnonymously", "SignInAnonymouslyInput")
    static let refresh = document("RefreshSession", "refreshSession", "RefreshSessionInput!")
    static let signOut = plain("SignOut", "signOut", "SignOutInput")

    static let requestPasswordReset = plain(
        "RequestPasswordReset", "requestPasswordReset", "RequestPasswordResetInput!")
    static let resetPassword = plain("ResetPassword", "resetPassword", "ResetPasswordInput!")
    static let changePassword = plain("ChangePassword", "changePassword", "ChangePasswordInput!")
    static let changeEmail = plain("ChangeEmail", "changeEmail", "ChangeEmailInput!")
    static let confirmEmail = plain("ConfirmEmail", "confirmEmail", "ConfirmEmailInput!")

    /// A mutation whose payload has user errors alone.
    private static func plain(_ name: String, _ field: String, _ input: String) -> Document {
        (
            name: name, field: field,
            text: """
            mutation \(name)($input: \(input)) { \(field)(input: $input) { userErrors { code message field } } }
            """
        )
    }

    /// A mutation whose payload also has the tokens and the account of a session.
    private static func document(_ name: String, _ field: String, _ input: String) -> Document {
        (
            name: name, field: field,
            text: """
            mutation \(name)($input: \(input)) { \(field)(input: $input) { accessToken accessTokenExpiresAt \
            refreshToken deviceToken viewer { id isAnonymous } userErrors { code message field } } }
            """
        )
    }

    typealias Document = (name: String, field: String, text: String)
}
