import GraphQL

/// The documents that a server's own clients were built with, by their `documentId`.
public struct TrustedDocuments: Sendable, Equatable {
    public struct Entry: Sendable, Equatable {
        public let id: String
        public let text: String
    }

    public let entries: [Entry]

    /// - Parameter manifest: a JSON object whose keys are IDs and whose values are the texts of documents.
    /// - Throws: `InvalidTrustedDocuments`
    public init(manifest: [UInt8]) throws(InvalidTrustedDocuments) {
        let json: InputValue
        do { json = try parseJSON(manifest) } catch {
            throw InvalidTrustedDocuments(problems: ["The manifest is not JSON: \(error)"])
        }
        guard case .object(let object) = json else {
            throw InvalidTrustedDocuments(problems: ["The manifest is not a JSON object."])
        }
        var entries: [Entry] = []
        var problems: [String] = []
        for (id, value) in object.fields {
            if case .string(let text) = value {
                entries.append(Entry(id: id, text: text))
            } else {
                problems.append("\(id): the document is not a string.")
            }
        }
        if !problems.isEmpty { throw InvalidTrustedDocuments(problems: problems) }
        self.entries = entries
    }

    /// - Throws: `InvalidTrustedDocuments` with the problems of all documents.
    func prepared<Context: ExecutionContext>(
        _ prepare: (String) throws(RequestError) -> CachedDocument<Context>
    ) throws(InvalidTrustedDocuments) -> [String: CachedDocument<Context>] {
        var documents: [String: CachedDocument<Context>] = [:]
        var problems: [String] = []
        for entry in entries {
            do { documents[entry.id] = try prepare(entry.text) } catch {
                problems += error.errors.map { error in
                    let place = error.locations.first.map { ":\($0.line):\($0.column)" } ?? ""
                    return "\(entry.id)\(place): \(error.message)"
                }
            }
        }
        if !problems.isEmpty { throw InvalidTrustedDocuments(problems: problems) }
        return documents
    }
}

/// All problems of a manifest, so that one start of the server reports them together.
public struct InvalidTrustedDocuments: Error, Equatable, CustomStringConvertible {
    public let problems: [String]

    public var description: String { "Trusted documents:\n" + problems.joined(separator: "\n") }
}
