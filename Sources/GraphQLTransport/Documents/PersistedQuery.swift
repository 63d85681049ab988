import Cryptography
import GraphQL

/// The digest by which a request names its document, in `extensions.persistedQuery`.
/// Apollo: Automatic Persisted Queries
struct PersistedQuery: Equatable {
    /// The SHA-256 of the document's text, in lower-case hexadecimal.
    let hash: String

    /// - Parameter value: the extension.
    init(_ value: InputValue) throws(MalformedRequest) {
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
