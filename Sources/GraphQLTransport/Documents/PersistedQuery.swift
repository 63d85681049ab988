import Cryptography
import GraphQL

/// A document by its digest, as a request's `extensions.persistedQuery` names it.
/// Apollo: Automatic Persisted Queries
struct PersistedQuery: Equatable {
    /// The digest as the client sent it. Clients with a manifest send a trusted document's ID in its place.
    let name: String

    /// nil where the request has no such extension.
    init?(_ extensions: InputObject) throws(MalformedRequest) {
        guard let value = extensions["persistedQuery"], value != .null else { return nil }
        guard case .object(let object) = value else {
            throw MalformedRequest("\"extensions.persistedQuery\" is not an object.")
        }
        guard object["version"] == .int(1) else {
            throw MalformedRequest("The version of \"extensions.persistedQuery\" is 1.")
        }
        guard case .string(let name)? = object["sha256Hash"] else { throw Self.notHexadecimal }
        self.name = name
    }

    /// The SHA-256 of the document's text, in lower-case hexadecimal.
    func hash() throws(MalformedRequest) -> String {
        guard name.utf8.count == 64, name.utf8.allSatisfy({ Hex.digit($0) != nil }) else { throw Self.notHexadecimal }
        return name.lowercased()
    }

    private static var notHexadecimal: MalformedRequest {
        MalformedRequest("\"extensions.persistedQuery.sha256Hash\" is not 64 hexadecimal digits.")
    }
}

extension RequestError {
    /// Clients also recognise the error by this message, and then send the document's text.
    static let persistedQueryNotFound = RequestError([
        GraphQLError("PersistedQueryNotFound", code: .persistedQueryNotFound)
    ])

    static let persistedQueryNotSupported = RequestError([
        GraphQLError("PersistedQueryNotSupported", code: .persistedQueryNotSupported)
    ])

    static let documentNotTrusted = RequestError([
        GraphQLError("This server runs only the documents of its manifest.", code: .documentNotTrusted)
    ])
}
