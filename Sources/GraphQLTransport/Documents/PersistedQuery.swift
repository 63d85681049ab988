import Cryptography
import GraphQL

/// A document by its digest, as a request's `extensions.persistedQuery` names it.
/// Apollo: Automatic Persisted Queries
struct PersistedQuery: Equatable {
    /// The SHA-256 of the document's text, in lower-case hexadecimal.
    let hash: String

    /// nil where the request has no such extension.
    init?(_ extensions: InputObject) throws(MalformedRequest) {
        guard let value = extensions["persistedQuery"], value != .null else { return nil }
        guard case .object(let object) = value else {
            throw MalformedRequest("\"extensions.persistedQuery\" is not an object.")
        }
        guard object["version"] == .int(1) else {
            throw MalformedRequest("The version of \"extensions.persistedQuery\" is 1.")
        }
        guard case .string(let hash)? = object["sha256Hash"], hash.utf8.count == 64,
            hash.utf8.allSatisfy({ Hex.digit($0) != nil })
        else { throw MalformedRequest("\"extensions.persistedQuery.sha256Hash\" is not 64 hexadecimal digits.") }
        self.hash = hash.lowercased()
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
        GraphQLError("This server runs only documents that it knows, by their documentId.", code: .documentNotTrusted)
    ])
}
