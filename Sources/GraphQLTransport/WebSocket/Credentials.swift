import GraphQL

extension RequestHead {
    /// This head with the payload as its connection parameters. If the payload has credentials, in `accessToken` or
    /// `headers.Authorization`, the head gets them.
    func with(connectionParameters payload: InputObject) -> RequestHead {
        var head = self
        head.connectionParameters = payload
        if let token = payload["accessToken"] {
            // A value that is not a string is refused as an invalid token, and the client is not taken for an anonymous
            // one.
            if case .string(let token) = token {
                head.authorization = "Bearer \(token)"
            } else {
                head.authorization = ""
            }
        } else if case .object(let headers)? = payload["headers"] {
            for (name, value) in headers.fields where equalsIgnoringCase(name, "authorization") {
                if case .string(let text) = value { head.authorization = text } else { head.authorization = "" }
            }
        }
        return head
    }
}
