/// Reads an export of the Realtime Database: one tree. The values at the paths of the mapping are its documents.
struct RealtimeDatabaseReader {
    private let scanner: JSONScanner
    private let patterns: [PathPattern]
    /// Called with the path of each skipped value: a value outside of all documents whose path no pattern begins with.
    /// `{}` stands for each named segment.
    private let skipped: (String) -> Void

    init(_ scanner: JSONScanner, patterns: [PathPattern], skipped: @escaping (String) -> Void) {
        self.scanner = scanner
        self.patterns = patterns
        self.skipped = skipped
    }

    func forEach(_ body: (FirebaseDocument) async throws -> Void) async throws {
        try await read([], patterns, defect: nil, body)
        if try !scanner.isAtEnd { throw ImportFailure("Something follows the end of the Realtime Database's JSON.") }
    }

    /// Reads the value at a path with which all of `patterns` begin. The recursion is no deeper than the patterns.
    ///
    /// - Parameter defect: the defect of the path's first defective name; nil if there is none.
    private func read(
        _ path: [String], _ patterns: [PathPattern], defect: JSONScanner.Key.Defect?,
        _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        let isDocument = patterns.contains { $0.segments.count == path.count }
        let longer = patterns.filter { $0.segments.count > path.count }
        var document = FirebaseDocument(path: path)
        if let defect { document.defect = defect.rawValue }
        if try scanner.beginObject() {
            while let key = try scanner.key() {
                try await readMember(key, of: &document, isDocument: isDocument, longer, defect, body)
            }
        } else if try scanner.peek() == UInt8(ascii: "["), !longer.isEmpty || !isDocument, try scanner.beginArray() {
            // Firebase exports children whose keys are small numbers as an array, with null for those that are missing.
            var index = 0
            while try scanner.element() {
                let key = JSONScanner.Key(text: String(index))
                index += 1
                if try scanner.peek() == UInt8(ascii: "n") {
                    try scanner.skip()
                } else {
                    try await readMember(key, of: &document, isDocument: isDocument, longer, defect, body)
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
        _ defect: JSONScanner.Key.Defect?, _ body: (FirebaseDocument) async throws -> Void
    ) async throws {
        let path = document.path + [key.text]
        let matching = patterns.filter { $0.begins(path) }
        if !matching.isEmpty {
            try await read(path, matching, defect: defect ?? key.defect, body)
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
