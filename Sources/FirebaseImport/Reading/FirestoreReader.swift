import GraphQL

/// Reads Firestore documents in the forms in which exporters write them:
///
/// - `{"__collections__": {"users": {"ID": {…, "__collections__": {…}}}}}` (node-firestore-import-export)
/// - `{"users": {"ID": {…, "subCollection": {"users/ID/comments": {"ID": {…}}}}}}` (firestore-export-import)
/// - `{"documents": [{"name": "projects/…/documents/users/ID", "fields": {…}}]}` (the REST API), and such documents
///   one after another, as `name` and `fields` or as `path` and `data` (firestore-backfire)
struct FirestoreReader {
    /// Firestore nests subcollections a hundred deep; documents beyond this depth are skipped.
    private static let maximumDepth = 24

    private let scanner: JSONScanner
    private let skipped: (String) -> Void

    init(_ scanner: JSONScanner, skipped: @escaping (String) -> Void) {
        self.scanner = scanner
        self.skipped = skipped
    }

    func forEach(_ body: (FirebaseDocument) async throws -> Void) async throws {
        while try !scanner.isAtEnd {
            if try scanner.beginArray() {
                while try scanner.element() { try await readListed(body) }
            } else {
                try await readRoot(body)
            }
        }
    }

    /// Reads one object at the top. The name of its first member tells the form.
    private func readRoot(_ body: (FirebaseDocument) async throws -> Void) async throws {
        guard try scanner.beginObject() else {
            throw ImportFailure("A Firestore export is made of JSON objects.")
        }
        guard let first = try scanner.key() else { return }
        let next = try scanner.peek()
        switch (first.text, next) {
        case ("documents", UInt8(ascii: "[")):
            try await readPage(first, body)
        case ("name", UInt8(ascii: "\"")), ("path", UInt8(ascii: "\"")), ("fields", _), ("createTime", _),
            ("updateTime", _):
            try await readDocument(from: first, body)
        default:
            var key: JSONScanner.Key? = first
            while let name = key {
                if name.text == "__collections__" {
                    try await readCollections([], isValid: name.isValid, body)
                } else {
                    try await readCollection([name.text], isValid: name.isValid, body)
                }
                key = try scanner.key()
            }
        }
    }

    // MARK: - Nested collections

    private func readCollections(
        _ parent: [String], isValid: Bool, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        guard parent.count < Self.maximumDepth, try scanner.beginObject() else { return try skip(parent) }
        while let key = try scanner.key() {
            // firestore-export-import names a subcollection by its path.
            let name = key.text.split(separator: "/").last.map(String.init) ?? key.text
            try await readCollection(parent + [name], isValid: isValid && key.isValid, body)
        }
    }

    private func readCollection(
        _ path: [String], isValid: Bool, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        guard try scanner.beginObject() else { return try skip(path) }
        while let key = try scanner.key() {
            var document = FirebaseDocument(path: path + [key.text])
            if !(isValid && key.isValid) { document.defect = "The path is not valid UTF-8." }
            if try scanner.beginObject() {
                while let field = try scanner.key() {
                    if field.text == "__collections__" || field.text == "subCollection" {
                        try await readCollections(document.path, isValid: document.defect == nil, body)
                    } else {
                        let text = try scanner.capture(limit: FirebaseDocument.maximumByteCount)
                        document.add(field, .init(captured: text))
                    }
                }
            } else {
                try scanner.skip()
                document.defect = "It is not an object."
            }
            try await body(document)
        }
    }

    private func skip(_ path: [String]) throws {
        skipped(path.joined(separator: "/"))
        try scanner.skip()
    }

    // MARK: - Listed documents

    private func readPage(
        _ first: JSONScanner.Key, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        var key: JSONScanner.Key? = first
        while let name = key {
            if name.text == "documents", try scanner.beginArray() {
                while try scanner.element() { try await readListed(body) }
            } else {
                try scanner.skip()
            }
            key = try scanner.key()
        }
    }

    private func readListed(_ body: (FirebaseDocument) async throws -> Void) async throws {
        guard try scanner.beginObject(), let first = try scanner.key() else {
            throw ImportFailure("A list of Firestore documents is made of JSON objects with a name or a path.")
        }
        try await readDocument(from: first, body)
    }

    /// Reads a document whose first member's value is next.
    private func readDocument(
        from first: JSONScanner.Key, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        var path: String?
        var fields: FieldValue = .absent
        var isTyped = false
        var key: JSONScanner.Key? = first
        while let name = key {
            switch name.text {
            case "name", "path":
                let text = try scanner.capture(limit: JSONScanner.Key.maximumByteCount)
                if case .value(.string(let value))? = text.map({ FieldValue(FirebaseDocument.Field.Content.text($0)) })
                {
                    path = value
                }
            case "fields", "data":
                isTyped = name.text == "fields"
                let text = try scanner.capture(limit: FirebaseDocument.maximumByteCount)
                fields = FieldValue(FirebaseDocument.Field.Content(captured: text))
            default: try scanner.skip()
            }
            key = try scanner.key()
        }
        guard let path else {
            skipped("a listed document without a name or a path")
            return
        }
        try await body(Self.document(Self.relative(path), fields, isTyped: isTyped))
    }

    private static func document(_ path: String, _ fields: FieldValue, isTyped: Bool) -> FirebaseDocument {
        var document = FirebaseDocument(path: path.split(separator: "/").map(String.init))
        switch fields {
        case .value(.object(let object)):
            for field in object.fields {
                let value = isTyped ? FirestoreValue.plain(field.value) : field.value
                document.add(JSONScanner.Key(text: field.name, isValid: true), .value(value))
            }
        case .absent: break
        case .value: document.defect = "Its fields are not an object."
        case .malformed(let reason): document.defect = reason
        }
        return document
    }

    /// A document's path below the database, which the REST API puts in front.
    static func relative(_ path: String) -> String {
        let segments = path.split(separator: "/")
        guard segments.first == "projects", segments.count > 5, segments[4] == "documents" else { return path }
        return segments.dropFirst(5).joined(separator: "/")
    }
}

/// The values of the REST API, each in an object that tells its type.
/// Source: Cloud Firestore REST API, `Value`
enum FirestoreValue {
    /// The depth is bounded by the parser's.
    static func plain(_ value: InputValue) -> InputValue {
        guard case .object(let object) = value, object.fields.count == 1, let field = object.fields.first else {
            return value
        }
        switch (field.name, field.value) {
        case ("nullValue", _): return .null
        case ("integerValue", .string(let text)): return Int(text).map { .int($0) } ?? field.value
        case ("mapValue", .object(let map)):
            guard case .object(let fields)? = map["fields"] else { return .object(InputObject()) }
            return .object(InputObject(fields.fields.map { ($0.name, plain($0.value)) }))
        case ("arrayValue", .object(let array)):
            guard case .list(let values)? = array["values"] else { return .list([]) }
            return .list(values.map(plain))
        case ("referenceValue", .string(let path)): return .string(FirestoreReader.relative(path))
        case ("stringValue", _), ("booleanValue", _), ("doubleValue", _), ("timestampValue", _), ("integerValue", _),
            ("bytesValue", _), ("geoPointValue", _):
            return field.value
        default: return value
        }
    }
}
