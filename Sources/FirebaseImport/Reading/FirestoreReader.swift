import GraphQL

/// Reads Firestore documents in the forms in which exporters write them:
///
/// - `{"__collections__": {"users": {"ID": {…, "__collections__": {…}}}}}` (node-firestore-import-export)
/// - `{"users": {"ID": {…, "subCollection": {"users/ID/comments": {"ID": {…}}}}}}` (firestore-export-import)
/// - `{"documents": [{"name": "projects/…/documents/users/ID", "fields": {…}}]}` (the REST API)
/// - documents one after another or in arrays, each with `name` and `fields`, or with `path` and `data`
///   (firestore-backfire)
struct FirestoreReader {
    /// The subcollections of a document are skipped and reported if the document's path has this many names or more.
    /// Firestore nests subcollections a hundred deep.
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

    /// Reads one object at the top level of the text. The name of its first member and the kind of that member's value
    /// tell the form.
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
                    try await readCollections([], defect: nil, body)
                } else {
                    try await readCollection([name.text], defect: name.defect, body)
                }
                key = try scanner.key()
            }
        }
    }

    // MARK: - Nested collections

    private func readCollections(
        _ parent: [String], defect: JSONScanner.Key.Defect?, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        guard parent.count < Self.maximumDepth, try scanner.beginObject() else { return try skip(parent) }
        while let key = try scanner.key() {
            // firestore-export-import names a subcollection by its path.
            let name = key.text.split(separator: "/").last.map(String.init) ?? key.text
            try await readCollection(parent + [name], defect: defect ?? key.defect, body)
        }
    }

    private func readCollection(
        _ path: [String], defect: JSONScanner.Key.Defect?, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        guard try scanner.beginObject() else { return try skip(path) }
        while let key = try scanner.key() {
            var document = FirebaseDocument(path: path + [key.text])
            let defect = defect ?? key.defect
            if let defect { document.defect = defect.rawValue }
            if try scanner.beginObject() {
                while let field = try scanner.key() {
                    if field.text == "__collections__" || field.text == "subCollection" {
                        try await readCollections(document.path, defect: defect, body)
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

    /// Reads the rest of a document, after the name of its first member.
    private func readDocument(
        from first: JSONScanner.Key, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        var path: JSONScanner.Key?
        var isTooLong = false
        var fields: FieldValue = .absent
        var isTyped = false
        var key: JSONScanner.Key? = first
        while let name = key {
            switch name.text {
            case "name", "path":
                let isText = try scanner.peek() == UInt8(ascii: "\"")
                let text = try scanner.capture(limit: JSONScanner.Key.maximumByteCount)
                isTooLong = text == nil
                if isText { path = text.map(JSONScanner.Key.init(json:)) }
            case "fields", "data":
                isTyped = name.text == "fields"
                let text = try scanner.capture(limit: FirebaseDocument.maximumByteCount)
                fields = FieldValue(FirebaseDocument.Field.Content(captured: text))
            default: try scanner.skip()
            }
            key = try scanner.key()
        }
        guard let path else {
            skipped(
                isTooLong
                    ? "a listed document with a path of more than 4,096 bytes"
                    : "a listed document without a name or a path")
            return
        }
        var document = Self.document(Self.relative(path.text), fields, isTyped: isTyped)
        if let defect = path.defect { document.defect = defect.rawValue }
        try await body(document)
    }

    private static func document(_ path: String, _ fields: FieldValue, isTyped: Bool) -> FirebaseDocument {
        var document = FirebaseDocument(path: path.split(separator: "/").map(String.init))
        switch fields {
        case .value(.object(let object)):
            for field in object.fields {
                let value = isTyped ? FirestoreValue.plain(field.value) : field.value
                document.add(JSONScanner.Key(text: field.name), .value(value))
            }
        case .absent: break
        case .value: document.defect = "Its fields are not an object."
        case .malformed(let reason): document.defect = reason
        }
        return document
    }

    /// The path of a document within its database. The REST API puts the database's name before it.
    static func relative(_ path: String) -> String {
        let segments = path.split(separator: "/")
        guard segments.first == "projects", segments.count > 5, segments[4] == "documents" else { return path }
        return segments.dropFirst(5).joined(separator: "/")
    }
}

/// The values of the REST API. Each stands in an object whose only member is called after the value's type.
/// Source: Cloud Firestore REST API, `Value`
enum FirestoreValue {
    /// The value without the objects that tell types. The JSON parser bounds the depth of the recursion.
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
