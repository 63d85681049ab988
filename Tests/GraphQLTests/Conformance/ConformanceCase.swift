import Foundation

@testable import GraphQL

/// The folder of recorded cases, which is no part of the package: `TERTULIA_CONFORMANCE`, or `../shared/conformance`.
enum ConformanceFolder {
    static let url: URL? = {
        var candidates: [URL] = []
        if let path = ProcessInfo.processInfo.environment["TERTULIA_CONFORMANCE"] {
            candidates.append(URL(fileURLWithPath: path))
        }
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 0..<4 { root.deleteLastPathComponent() }
        candidates.append(root.deletingLastPathComponent().appendingPathComponent("shared/conformance"))
        return candidates.first { FileManager.default.fileExists(atPath: $0.path) }
    }()

    static func has(_ name: String) -> Bool {
        guard let url else { return false }
        return FileManager.default.fileExists(atPath: url.appendingPathComponent(name).path)
    }

    static func read(_ name: String) throws -> [UInt8] {
        guard let url else { throw CocoaError(.fileNoSuchFile) }
        return Array(try Data(contentsOf: url.appendingPathComponent(name)))
    }
}

/// One line of a file of recorded cases.
struct ConformanceCase: CustomStringConvertible {
    let id: String
    let fields: InputObject

    static func read(_ name: String) throws -> [ConformanceCase] {
        try ConformanceFolder.read(name).split(separator: 0x0A).map { line in
            guard case .object(let fields) = try parseJSON(withLoneSurrogatesMoved(Array(line))),
                case .string(let id)? = fields["id"]
            else { throw CocoaError(.fileReadCorruptFile) }
            return ConformanceCase(id: id, fields: fields)
        }
    }

    func string(_ name: String) -> String? {
        guard case .string(let value)? = fields[name] else { return nil }
        return value
    }

    func object(_ name: String) -> InputObject? {
        guard case .object(let value)? = fields[name] else { return nil }
        return value
    }

    /// GraphQL text; a lone surrogate becomes the three bytes that an encoder without checks makes of it.
    func source(_ name: String = "source") -> Source? {
        string(name).map { Source($0.unicodeScalars.flatMap { encodedWithSurrogates($0) }) }
    }

    var description: String { id }
}

/// An error as it was recorded: the message and the places.
struct RecordedError: Equatable, CustomStringConvertible {
    let message: String
    let locations: [SourceLocation]

    init(message: String, locations: [SourceLocation]) {
        self.message = message
        self.locations = locations
    }

    init(_ error: GraphQLError) {
        self.init(message: error.message, locations: error.locations)
    }

    init?(_ fields: InputObject?) {
        guard let fields, case .string(let message)? = fields["message"] else { return nil }
        var locations: [SourceLocation] = []
        if case .list(let places)? = fields["locations"] {
            for case .object(let place) in places {
                guard case .int(let line)? = place["line"], case .int(let column)? = place["column"] else { return nil }
                locations.append(SourceLocation(line: line, column: column))
            }
        }
        self.init(message: message, locations: locations)
    }

    var description: String {
        message + " " + locations.map { "\($0.line):\($0.column)" }.joined(separator: " ")
    }
}

// MARK: - Lone surrogates, which JSON text can spell and UTF-8 cannot

/// Recorded documents contain surrogates on purpose; each is moved to the private plane 15 while it is a String.
private let plane: UInt32 = 0xF0000

private func withLoneSurrogatesMoved(_ line: [UInt8]) -> [UInt8] {
    func code(at index: Int) -> UInt32? {
        guard index + 6 <= line.count, line[index] == 0x5C, line[index + 1] == 0x75 else { return nil }
        return UInt32(String(decoding: line[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
    var output: [UInt8] = []
    var index = 0
    while index < line.count {
        guard line[index] == 0x5C else {
            output.append(line[index])
            index += 1
            continue
        }
        let first = code(at: index)
        let isPair =
            first.map { 0xD800..<0xDC00 ~= $0 } == true && code(at: index + 6).map { 0xDC00..<0xE000 ~= $0 } == true
        if let first, !isPair, 0xD800..<0xE000 ~= first, let scalar = UnicodeScalar(plane + first) {
            output.append(contentsOf: scalar.utf8)
            index += 6
        } else {
            let length = isPair ? 12 : 2
            output.append(contentsOf: line[index..<index + length])
            index += length
        }
    }
    return output
}

private func encodedWithSurrogates(_ scalar: UnicodeScalar) -> [UInt8] {
    guard plane + 0xD800..<plane + 0xE000 ~= scalar.value else { return Array(scalar.utf8) }
    let code = scalar.value - plane
    return [0xE0 | UInt8(code >> 12), 0x80 | UInt8(code >> 6 & 0x3F), 0x80 | UInt8(code & 0x3F)]
}
