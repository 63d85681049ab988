import Cryptography
import GraphQL

/// The documents that a server's own clients were built with. Clients name them by ID, by SHA-256 or by their text.
public struct TrustedDocuments: Sendable, Equatable {
    public struct Entry: Sendable, Equatable {
        public let id: String
        public let text: String
        /// The operation's name, for messages; nil where the manifest has none.
        public let name: String?

        init(id: String, text: String, name: String? = nil) {
            self.id = id
            self.text = text
            self.name = name
        }

        /// The operation with its ID, which is often a digest.
        fileprivate var label: String { name.map { "\($0) (\(id))" } ?? id }
    }

    public private(set) var entries: [Entry] = []

    /// Documents whose IDs are the SHA-256 of their texts.
    public init(texts: [String]) {
        entries = texts.map { Entry(id: SHA256.digest(of: $0).hex, text: $0) }
    }

    /// - Parameter manifest: JSON in one of two forms. An object has IDs as its keys, and as its values the texts of
    ///   documents or `{"name", "source"}`. Apollo's persisted query manifest is
    ///   `{"format", "version": 1, "operations": [{"id", "name", "type", "body"}]}`; its operations may be an object by ID,
    ///   too.
    /// - Throws: `InvalidTrustedDocuments`
    /// Source: Apollo GraphOS, Persisted query manifests
    public init(manifest: [UInt8]) throws(InvalidTrustedDocuments) {
        let json: InputValue
        do { json = try parseJSON(manifest) } catch {
            throw InvalidTrustedDocuments(problems: ["The manifest is not JSON: \(error)"])
        }
        guard case .object(let object) = json else {
            throw InvalidTrustedDocuments(problems: ["The manifest is not a JSON object."])
        }
        var problems: [String] = []
        switch object["operations"] {
        case .list(let operations)?:
            problems += Self.faults(beside: object)
            for (index, operation) in operations.enumerated() { add(operation, index, &problems) }
        case .object(let operations)?:
            problems += Self.faults(beside: object)
            for (id, value) in operations.fields { add(value, id: id, &problems) }
        default:
            for (id, value) in object.fields { add(value, id: id, &problems) }
        }
        if !problems.isEmpty { throw InvalidTrustedDocuments(problems: problems) }
    }

    /// The documents of both.
    public func adding(_ others: TrustedDocuments) -> TrustedDocuments {
        var all = self
        all.entries += others.entries
        return all
    }

    /// The faults of an Apollo manifest's members beside the operations.
    private static func faults(beside manifest: InputObject) -> [String] {
        var faults: [String] = []
        if let format = manifest["format"], format != .string("apollo-persisted-query-manifest") {
            faults.append("The manifest's \"format\" is not \"apollo-persisted-query-manifest\".")
        }
        if let version = manifest["version"], version != .int(1) {
            faults.append("The manifest's \"version\" is not 1.")
        }
        return faults
    }

    /// Adds an operation of Apollo's list.
    private mutating func add(_ operation: InputValue, _ index: Int, _ problems: inout [String]) {
        guard case .object(let operation) = operation else {
            problems.append("operations[\(index)]: the operation is not an object.")
            return
        }
        guard case .string(let id)? = operation["id"] else {
            problems.append("operations[\(index)]: \"id\" is not a string.")
            return
        }
        guard case .string(let text)? = operation["body"] else {
            problems.append("operations[\(index)]: \"body\" is not a string.")
            return
        }
        entries.append(Entry(id: id, text: text, name: Self.name(of: operation)))
    }

    /// Adds a document that the manifest has under its ID.
    private mutating func add(_ value: InputValue, id: String, _ problems: inout [String]) {
        var source: InputValue? = value
        var name: String?
        if case .object(let object) = value {
            source = object["source"] ?? object["body"]
            name = Self.name(of: object)
        }
        guard case .string(let text)? = source else {
            problems.append("\(id): the document is not a string.")
            return
        }
        entries.append(Entry(id: id, text: text, name: name))
    }

    private static func name(of operation: InputObject) -> String? {
        guard case .string(let name)? = operation["name"], !name.isEmpty else { return nil }
        return name
    }

    /// - Throws: `InvalidTrustedDocuments` with the problems of all documents.
    func prepared<Context: ExecutionContext>(
        _ prepare: (String) throws(RequestError) -> CachedDocument<Context>
    ) throws(InvalidTrustedDocuments) -> TrustedDocumentTable<Context> {
        var table = TrustedDocumentTable<Context>()
        var problems: [String] = []
        for entry in entries {
            do throws(RequestError) {
                let known = table.document(withText: entry.text)
                let document = if let known { known } else { try prepare(entry.text) }
                if table.add(document, id: entry.id) { continue }
                problems.append("\(entry.label): another document has this ID.")
            } catch {
                problems += error.errors.map { error in
                    let place = error.locations.first.map { ":\($0.line):\($0.column)" } ?? ""
                    return "\(entry.label)\(place): \(error.message)"
                }
            }
        }
        for entry in entries where table.isAmbiguous(entry.id) {
            problems.append("\(entry.label): the ID is the SHA-256 of another document.")
        }
        if !problems.isEmpty { throw InvalidTrustedDocuments(problems: problems) }
        return table
    }
}

/// The prepared trusted documents by ID and by digest.
struct TrustedDocumentTable<Context: ExecutionContext>: Sendable {
    private var byID: [String: CachedDocument<Context>] = [:]
    private var byDigest: [String: CachedDocument<Context>] = [:]

    var isEmpty: Bool { byDigest.isEmpty }

    /// - Returns: false if the ID is another document's.
    mutating func add(_ document: CachedDocument<Context>, id: String) -> Bool {
        byDigest[document.hash] = document
        // An ID may stand several times: Apollo's manifests repeat an operation for each name of a client.
        if let known = byID[id] { return known === document }
        byID[id] = document
        return true
    }

    /// True if the ID is also the digest of another document.
    func isAmbiguous(_ id: String) -> Bool {
        guard let other = byDigest[Self.digest(in: id)] else { return false }
        return byID[id] !== other
    }

    /// - Parameter name: an ID of the manifest, or the SHA-256 of a text in hexadecimal, alone or after `sha256:`.
    /// Source: GraphQL over HTTP, Appendix: Persisted Documents
    subscript(name: String) -> CachedDocument<Context>? { byID[name] ?? byDigest[Self.digest(in: name)] }

    /// The document with exactly this text.
    func document(withText text: String) -> CachedDocument<Context>? { byDigest[SHA256.digest(of: text).hex] }

    private static func digest(in name: String) -> String {
        let prefix = "sha256:"
        return (name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name).lowercased()
    }
}

/// All problems of a manifest, so that one start of the server reports them together.
public struct InvalidTrustedDocuments: Error, Equatable, CustomStringConvertible {
    public let problems: [String]

    public var description: String { "Trusted documents:\n" + problems.joined(separator: "\n") }
}
