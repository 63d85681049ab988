import GraphQL

/// The access token in the payload of `connection_init`, or of a ping that renews it: the value of `accessToken`,
/// `authToken` or `token`, with or without "Bearer ", or that of `Authorization` in any case, in the payload or in its
/// `headers`.
enum ConnectionCredentials {
    /// The payload has a token that would not be understood.
    struct Problem: Error, Equatable {
        let reason: String

        static let notAString = Problem(
            reason: #"The access token is a string: send it as "accessToken", or omit it when signed out"#)
        static let unknownScheme = Problem(
            reason: #"The scheme of the credentials is not Bearer: send the access token as "accessToken""#)
        static let twoTokens = Problem(reason: #"The payload has two different tokens: send one, as "accessToken""#)
    }

    /// - Returns: nil if the payload has no credentials.
    static func token(in payload: InputObject) throws(Problem) -> String? {
        var found: String?
        for (name, value) in members(of: payload) {
            let token = try token(value, hasScheme: equalsIgnoringCase(name, "authorization"))
            if let found, found != token { throw .twoTokens }
            found = token
        }
        return found
    }

    static func areGiven(in payload: InputObject) -> Bool { !members(of: payload).isEmpty }

    private static func members(of payload: InputObject) -> [(name: String, value: InputValue)] {
        payload.fields.flatMap { (name, value) -> [(name: String, value: InputValue)] in
            switch name {
            case "accessToken", "authToken", "token": return [(name, value)]
            case "headers":
                guard case .object(let headers) = value else { return [] }
                return headers.fields.filter { equalsIgnoringCase($0.name, "authorization") }
            default: return equalsIgnoringCase(name, "authorization") ? [(name, value)] : []
            }
        }
    }

    /// RFC 6750, section 2.1; a token has no space.
    private static func token(_ value: InputValue, hasScheme: Bool) throws(Problem) -> String {
        guard case .string(let text) = value else { throw .notAString }
        if equalsIgnoringCase(String(text.prefix(7)), "bearer ") { return String(text.dropFirst(7)) }
        if hasScheme || text.contains(" ") { throw .unknownScheme }
        return text
    }
}

extension RequestHead {
    /// The head with the credentials of a payload, if it has any.
    func with(connectionParameters payload: InputObject) throws(ConnectionCredentials.Problem) -> RequestHead {
        var head = self
        head.connectionParameters = payload
        if let token = try ConnectionCredentials.token(in: payload) { head.authorization = "Bearer \(token)" }
        return head
    }
}
