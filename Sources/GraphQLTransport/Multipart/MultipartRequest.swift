import GraphQL

/// The operations of a multipart request, with a file in each place that the map gives.
struct MultipartRequest: Sendable {
    /// A JSON object, or a list for a batch.
    let operations: InputValue
    /// The files in the order of the map.
    let files: [Upload]
}

/// Reads a multipart request within its limits while it comes in.
///
///     var reader = MultipartRequestReader(boundary, limits: UploadLimits(), jsonDepth: 64)
///     for chunk in body { try reader.read(chunk) }
///     let request = try reader.finish()
///
/// Source: GraphQL multipart request specification, version 2
struct MultipartRequestReader {
    private enum Part {
        case operations, map
        /// A file, by its index in the map.
        case file(Int)
        /// A field or file that nothing refers to; its bytes are read and dropped.
        case otherField, otherFile
    }

    private struct ReceivedFile {
        var header: PartHeader
        var bytes: [UInt8]
    }

    private let limits: UploadLimits
    private let jsonDepth: Int
    private var parser: MultipartParser
    private var part = Part.otherField
    private var header = PartHeader()
    private var content: [UInt8] = []
    /// The bytes of the part so far, kept or dropped.
    private var size = 0
    private var fileCount = 0
    private var operations: InputValue?
    private var map: UploadMap?
    private var files: [ReceivedFile?] = []

    init(_ boundary: MultipartBoundary, limits: UploadLimits, jsonDepth: Int) {
        self.limits = limits
        self.jsonDepth = jsonDepth
        parser = MultipartParser(boundary, maxOverhead: limits.nonFileSize)
    }

    /// Reads more of the body. After an error no more may be read.
    mutating func read(_ bytes: [UInt8]) throws(MultipartError) {
        var input = bytes[...]
        while let event = try parser.next(&input) {
            switch event {
            case .partBegins(let header): try begin(header)
            case .content(let bytes): try take(bytes)
            case .partEnds: try end()
            }
        }
    }

    /// Ends the body, and puts the files into the operations.
    mutating func finish() throws(MultipartError) -> MultipartRequest {
        try parser.finish()
        guard let operations else { throw .malformed("The field \"operations\" is missing.") }
        guard let map else { throw .malformed("The field \"map\" is missing.") }
        var uploads: [Upload] = []
        for (entry, file) in zip(map.entries, files) {
            guard let file else { throw .malformed("The file \"\(entry.file)\" is missing.") }
            uploads.append(Upload(file.header, file.bytes))
        }
        files = []
        return MultipartRequest(operations: try map.place(uploads, in: operations), files: uploads)
    }

    // MARK: - Parts

    private mutating func begin(_ header: PartHeader) throws(MultipartError) {
        guard let name = header.name else { throw .malformed("A part has no name.") }
        self.header = header
        content = []
        size = 0
        part = try part(named: name, isFile: header.filename != nil)
        switch part {
        case .file, .otherFile:
            fileCount += 1
            if fileCount > limits.fileCount {
                throw .tooLarge("A request can have \(limits.fileCount) files at most.")
            }
        case .operations, .map, .otherField: break
        }
    }

    private func part(named name: String, isFile: Bool) throws(MultipartError) -> Part {
        switch name {
        case "operations":
            if operations != nil { throw .malformed("The field \"operations\" comes twice.") }
            return .operations
        case "map":
            if operations == nil { throw .malformed("The field \"map\" comes before \"operations\".") }
            if map != nil { throw .malformed("The field \"map\" comes twice.") }
            return .map
        default:
            guard let map else {
                if isFile { throw .malformed("The file \"\(name)\" comes before \"map\".") }
                return .otherField
            }
            guard let index = map.entries.firstIndex(where: { $0.file == name }) else {
                return isFile ? .otherFile : .otherField
            }
            if files[index] != nil { throw .malformed("The file \"\(name)\" comes twice.") }
            return .file(index)
        }
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) throws(MultipartError) {
        size += bytes.count
        switch part {
        case .file, .otherFile:
            if size > limits.fileSize {
                throw .tooLarge("The file \"\(header.name ?? "")\" is larger than \(limits.fileSize) bytes.")
            }
            if case .file = part { content += bytes }
        case .operations, .map, .otherField:
            try parser.count(bytes.count)
            if case .otherField = part { return }
            content += bytes
        }
    }

    private mutating func end() throws(MultipartError) {
        switch part {
        case .operations: operations = try readOperations()
        case .map: try readMap()
        case .file(let index): files[index] = ReceivedFile(header: header, bytes: content)
        case .otherField, .otherFile: break
        }
        content = []
        part = .otherField
    }

    private func readOperations() throws(MultipartError) -> InputValue {
        let operations = try json(named: "operations")
        switch operations {
        case .object, .list: return operations
        default: throw .malformed("The field \"operations\" is neither a JSON object nor a list.")
        }
    }

    /// Reads the map and checks it against the operations, so that a mismatch is refused before the files come.
    private mutating func readMap() throws(MultipartError) {
        let map = try UploadMap(json(named: "map"), limits: limits)
        if let operations { try map.check(operations) }
        files = map.entries.map { _ in nil }
        self.map = map
    }

    private func json(named name: String) throws(MultipartError) -> InputValue {
        do { return try parseJSON(content, maxDepth: jsonDepth) } catch {
            throw .malformed("The field \"\(name)\" is not JSON: \(error)")
        }
    }
}

extension Upload {
    fileprivate convenience init(_ header: PartHeader, _ bytes: [UInt8]) {
        self.init(filename: header.lastFilename, contentType: header.contentType, bytes: bytes)
    }
}

extension PartHeader {
    /// A longer name is cut off after this number of characters.
    private static var maxFilenameLength: Int { 255 }

    /// The file name without directories, Unix or Windows, and without control characters.
    /// OWASP File Upload Cheat Sheet, "Filename Sanitization"
    var lastFilename: String {
        guard let filename else { return "" }
        let last = filename.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.last ?? ""
        let visible = last.unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(visible)).prefix(Self.maxFilenameLength)
        return name == "." || name == ".." ? "" : String(name)
    }
}
