import Foundation

/// The server's GraphQL address, with the transport that reaches it.
struct Endpoint: Sendable {
    let url: URL
    let transport: any Transport

    /// Sends one operation.
    ///
    /// - Parameter accessToken: nil without a session.
    /// - Throws: `TransportError`, or `Unavailable` where the server does not serve at the moment.
    func send(
        name: String, document: String, variables: EncodedVariables, accessToken: String?
    ) async throws -> Response {
        let envelope = Self.envelope(name: name, document: document, variables: variables.values)
        let body = RequestBody(envelope, uploads: variables.uploads)
        var headers = [
            (name: "Accept", value: "application/graphql-response+json, application/json;q=0.9"),
            (name: "Content-Type", value: body.contentType), (name: "GraphQL-Require-Preflight", value: "1"),
        ]
        if let accessToken { headers.append((name: "Authorization", value: "Bearer \(accessToken)")) }
        let answer = try await transport.send(HTTPRequest(url: url, headers: headers, body: body.bytes))
        guard let json = try? JSONValue(json: answer.body), let response = try? Response(json) else {
            throw Unavailable(status: answer.status, retryAfter: answer.retryAfter)
        }
        return response
    }

    static func envelope(name: String, document: String, variables: JSONObject) -> JSONObject {
        JSONObject([
            ("query", .string(document)), ("operationName", .string(name)), ("variables", .object(variables)),
        ])
    }

    /// The same address with the scheme of WebSocket.
    var socketURL: URL {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.scheme = url.scheme == "https" ? "wss" : "ws"
        return parts?.url ?? url
    }
}

/// The answer was no GraphQL response: it came from a proxy, or from a server that starts or stops.
public struct Unavailable: Error, Sendable, Equatable {
    public var status: Int
    /// The seconds to wait before the next attempt; nil if the server names no time.
    public var retryAfter: Double?
}
