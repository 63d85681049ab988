/// The mutations that begin, renew and end sessions. The client sends them itself, so the generator's manifests have them
/// beside an app's own documents.
package enum SessionDocuments {
    package static let signUp = session("SignUp", "signUp", "SignUpInput!")
    package static let signIn = session("SignIn", "signIn", "SignInInput!")
    package static let signInAnonymously = session(
        "SignInAnonymously", "signInAnonymously", "SignInAnonymouslyInput")
    package static let refresh = session("RefreshSession", "refreshSession", "RefreshSessionInput!")
    package static let signOut = plain("SignOut", "signOut", "SignOutInput")

    package static let requestPasswordReset = plain(
        "RequestPasswordReset", "requestPasswordReset", "RequestPasswordResetInput!")
    package static let resetPassword = plain("ResetPassword", "resetPassword", "ResetPasswordInput!")
    package static let changePassword = plain("ChangePassword", "changePassword", "ChangePasswordInput!")
    package static let changeEmail = plain("ChangeEmail", "changeEmail", "ChangeEmailInput!")
    package static let confirmEmail = plain("ConfirmEmail", "confirmEmail", "ConfirmEmailInput!")

    package static let all = [
        signUp, signIn, signInAnonymously, refresh, signOut, requestPasswordReset, resetPassword, changePassword,
        changeEmail, confirmEmail,
    ]

    private static func plain(_ name: String, _ field: String, _ input: String) -> SessionDocument {
        SessionDocument(
            field: field,
            document: ClientDocument(
                name: name,
                text: """
                    mutation \(name)($input: \(input)) { \(field)(input: $input) \
                    { userErrors { code message field } } }
                    """))
    }

    private static func session(_ name: String, _ field: String, _ input: String) -> SessionDocument {
        SessionDocument(
            field: field,
            document: ClientDocument(
                name: name,
                text: """
                    mutation \(name)($input: \(input)) { \(field)(input: $input) { accessToken accessTokenExpiresAt \
                    refreshToken deviceToken viewer { id isAnonymous } userErrors { code message field } } }
                    """))
    }
}

/// A mutation of the session.
package struct SessionDocument: Sendable {
    /// The response name of its one field.
    package let field: String
    package let document: ClientDocument
}
