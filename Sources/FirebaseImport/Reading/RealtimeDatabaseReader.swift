/// Reads an export of the Realtime Database: one tree, in which a mapping's paths tell what a document is.
struct RealtimeDatabaseReader {
    private let scanner: JSONScanner
    private let patterns: [PathPattern]
    /// Called with the general form of a path that no pattern begins with.
    private let skipped: (String) -> Void

    init(_ scanner: JSONScanner, patterns: [PathPattern], skipped: @escaping (String) -> Void) {
        self.scanner = scanner
        self.patterns = patterns
        self.skipped = skipped
    }

    func forEach(_ body: (FirebaseDocument) async throws -> Void) async throws {
        try await read([], patterns, isValid: true, body)
        if try !scanner.isAtEnd { throw ImportFailure("Something follows the end of the Realtime Database's JSON.") }
    }

    /// Reads the value of a path, with which `patterns` begin. The depth is bounded by that of the patterns.
    private func read(
        _ path: [String], _ patterns: [PathPattern], isValid: Bool, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        let isDocument = patterns.contains { $0.segments.count == path.count }
        let longer = patterns.filter { $0.segments.count > path.count }
        var document = FirebaseDocument(path: path)
        if !isValid { document.defect = "The path is not valid UTF-8." }
        if try scanner.beginObject() {
            while let key = try scanner.key() {
                try await readMember(key, of: &document, isDocument: isDocument, longer, body)
            }
        } else if try scanner.peek() == UInt8(ascii: "["), !longer.isEmpty || !isDocument, try scanner.beginArray() {
            // Firebase exports children whose keys are small numbers as an array, with null for those that are missing.
            var index = 0
            while try scanner.element() {
                let key = JSONScanner.Key(text: String(index), isValid: true)
                index += 1
                if try scanner.peek() == UInt8(ascii: "n") {
                    try scanner.skip()
                } else {
                    try await readMember(key, of: &document, isDocument: isDocument, longer, body)
                }
            }
        } else if isDocument {
            let text = try scanner.capture(limit: FirebaseDocument.maximumByteCount)
            document.whole = .init(captured: text)
        } else {
            try scanner.skip()
        }
        if isDocument { try await body(document) }
    }

    private func readMember(
        _ key: JSONScanner.Key, of document: inout FirebaseDocument, isDocument: Bool, _ patterns: [PathPattern],
        _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        let path = document.path + [key.text]
        let matching = patterns.filter { $0.begins(path) }
        if !matching.isEmpty {
            try await read(path, matching, isValid: key.isValid && document.defect == nil, body)
        } else if isDocument {
            let text = try scanner.capture(limit: FirebaseDocument.maximumByteCount)
            document.add(key, .init(captured: text))
        } else {
            let general = patterns.first?.segments.prefix(document.path.count).map { segment in
                if case .literal(let name) = segment { name } else { "{}" }
            }
            skipped(((general ?? document.path) + [key.text]).joined(separator: "/"))
            try scanner.skip()
        }
    }
}
