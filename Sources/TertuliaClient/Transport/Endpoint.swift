import ClientDocuments
import Foundation

/// The server's GraphQL address, with the transport that reaches it.
struct Endpoint: Sendable {
    let url: URL
    let transport: any Transport
    /// True if requests name their documents by ID.
    var sendsDocumentIDs = false

    /// Sends one operation. A document that the server does not know by its ID is sent again as text. Files would then be
    /// sent twice, so a request with files has the text at once.
    ///
    /// - Parameter accessToken: nil without a session.
    /// - Throws: `TransportError`, or `Unavailable` where the server does not serve at the moment.
    func send(
        _ document: ClientDocument, _ variables: EncodedVariables, accessToken: String?
    ) async throws -> Response {
        let isByID = sendsDocumentIDs && variables.uploads.isEmpty
        let response = try await send(
            envelope(document, variables.values, asText: !isByID), variables.uploads, accessToken)
        guard isByID, RequestRefused(response.errors).isUnknownDocument else { return response }
        return try await send(envelope(document, variables.values, asText: true), variables.uploads, accessToken)
    }

    private func send(
        _ envelope: JSONObject, _ uploads: [UploadPart], _ accessToken: String?
    ) async throws -> Response {
        let body = RequestBody(envelope, uploads: uploads)
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

    /// The parameters of a request.
    ///
    /// - Parameter asText: true for the document's text, false for its ID.
    func envelope(_ document: ClientDocument, _ variables: JSONObject, asText: Bool) -> JSONObject {
        JSONObject([
            asText ? ("query", .string(document.text)) : ("documentId", .string(document.id)),
            ("operationName", .string(document.name)), ("variables", .object(variables)),
        ])
    }

    /// The address of the WebSocket.
    var socketURL: URL {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        parts?.scheme = url.scheme == "https" ? "wss" : "ws"
        return parts?.url ?? url
    }
}

/// An answer that is no GraphQL: of a proxy, or of a server that starts or stops.
public struct Unavailable: Error, Sendable, Equatable {
    public var status: Int
    /// In seconds; nil where the server names no time.
    public var retryAfter: Double?
}

extension RequestRefused {
    /// True if the server does not know the document's ID. It may still run the text.
    var isUnknownDocument: Bool { has("PERSISTED_QUERY_NOT_FOUND") }
}
