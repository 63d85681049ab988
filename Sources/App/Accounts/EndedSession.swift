import GraphQL

/// The failure to authenticate a request with an access token that was valid until it expired or its session was
/// revoked.
public struct EndedSession: Error {
    /// The context of a request without a token.
    public let context: RequestContext
    public let error = ExecutionError.invalidToken

    init(_ context: RequestContext) { self.context = context }
}

extension Domain {
    /// True if a mutation runs for a client that still sends the token of an ended session. Such a mutation gives a new
    /// session, or is about a mailed link. `signUp` and `signIn` with `mergeAnonymous` are refused: without the session
    /// they would silently leave behind what its anonymous account owns.
    /// - Parameters:
    ///   - field: the mutation's name.
    ///   - arguments: the coerced arguments.
    public static func runsAfterSession(_ field: String, _ arguments: InputObject) -> Bool {
        switch field {
        case "refreshSession", "signInAnonymously", RequestPasswordReset.name, ResetPassword.name, ConfirmEmail.name:
            return true
        case "signIn":
            let input: InputObject? = try? arguments.decode("input")
            return input?["mergeAnonymous"] == .boolean(false)
        default: return false
        }
    }
}
