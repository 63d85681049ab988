import GraphQL

/// A document of Firestore, or the value at a path of the Realtime Database.
struct FirebaseDocument {
    /// The longest document that is read, in bytes of JSON. Firestore stores documents of at most one mebibyte.
    static let maximumByteCount = 4 << 20
    /// The longest path that can be kept as an old id, in bytes.
    static let maximumPathByteCount = 1_000

    /// The segments of the path.
    let path: [String]
    private(set) var fields: [Field] = []
    /// The names of fields that no mapping can name, since they are not well-formed.
    private(set) var unreadableNames: [String] = []
    /// The JSON at a path of the Realtime Database that holds no object, but a text, number, boolean or array.
    var whole: Field.Content?
    /// The reason why the document cannot be imported.
    var defect: String?
    private var byteCount = 0

    struct Field {
        enum Content {
            case text([UInt8])
            case value(InputValue)
            case tooLong

            /// - Parameter captured: JSON; nil for a value that was longer than its limit.
            init(captured: [UInt8]?) { self = captured.map(Content.text) ?? .tooLong }
        }

        let name: String
        let content: Content
    }

    init(path: [String]) {
        self.path = path
        if path.reduce(path.count - 1, { $0 + $1.utf8.count }) > Self.maximumPathByteCount {
            defect = "The path has more than \(Self.maximumPathByteCount) bytes."
        } else if path.contains(where: { $0.utf8.contains(0) }) {
            defect = "The path contains a character that cannot be stored."
        }
    }

    var pathText: String { path.joined(separator: "/") }

    mutating func add(_ name: JSONScanner.Key, _ content: Field.Content) {
        if name.defect != nil { return unreadableNames.append(name.text) }
        var content = content
        if case .text(let bytes) = content {
            byteCount += bytes.count
            if byteCount > Self.maximumByteCount { content = .tooLong }
        }
        fields.append(Field(name: name.text, content: content))
    }

    /// The value of a field.
    func value(_ name: String) -> FieldValue {
        guard let field = fields.last(where: { $0.name == name }) else { return .absent }
        return FieldValue(field.content)
    }

    /// All of the document as one value.
    var value: FieldValue {
        if let whole { return FieldValue(whole) }
        var members: [(name: String, value: InputValue)] = []
        for field in fields {
            switch FieldValue(field.content) {
            case .value(let value): members.append((field.name, value))
            case .malformed(let reason): return .malformed("The field \(field.name): \(reason)")
            case .absent: break
            }
        }
        return .value(.object(InputObject(members)))
    }
}

/// The value that an expression of a mapping finds in a document.
enum FieldValue: Equatable {
    /// Missing or null.
    case absent
    case value(InputValue)
    /// `reason` is a sentence.
    case malformed(_ reason: String)

    /// The depth to which a field's arrays and objects may nest: Firestore's limit is 20, the Realtime Database's 32.
    static let maximumDepth = 32

    init(_ content: FirebaseDocument.Field.Content) {
        switch content {
        case .tooLong: self = .malformed("It has more than \(FirebaseDocument.maximumByteCount >> 20) MiB.")
        case .value(let value): self = FieldValue(value)
        case .text(let bytes):
            do { self = FieldValue(try parseJSON(bytes, maxDepth: Self.maximumDepth)) } catch {
                self = .malformed("\(error)")
            }
        }
    }

    init(_ value: InputValue) { self = value == .null ? .absent : .value(value) }
}
