import Foundation
import GraphQL
import Postgres
import Testing

@testable import App

/// Each document of `Operations/` with its golden answers and its golden SQL: what clients see, and what it costs.
///
/// A document's first lines say who asks, in order, and with what: `# as: ben, ana` and `# variables: {…}`.
/// The answers stand in `NAME.json`, one a person; the statements of the last person's run in `NAME.sql`.
/// With TERTULIA_RECORD=1 the golden files are written instead of compared: read the difference before you commit it.
@Suite struct OperationTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Operations")

    static let documents: [String] = {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return files.filter { $0.hasSuffix(".graphql") }.sorted()
    }()

    @Test func thereAreDocuments() { #expect(Self.documents.count > 1) }

    @Test(arguments: documents) func answersAsRecorded(_ path: String) async throws {
        let document = try OperationDocument(Self.folder.appendingPathComponent(path))
        let world = try await World.make()
        var answers: [String] = []
        var segments: [SegmentStarted] = []
        for person in document.people {
            _ = world.statements.take()
            answers.append(try await world.run(document.text, document.variables, as: person))
            segments = world.statements.take()
        }
        await world.shutdown()
        var normalizer = Normalizer()
        let json = try zip(document.people, answers).map { person, answer in
            "// \(person)\n" + normalizer.normalize(try prettyPrinted(answer))
        }.joined(separator: "\n") + "\n"
        let sql = segments.map { segment in
            "-- \(segment.pool)\n" + segment.statements.map { $0 + ";\n" }.joined()
        }.joined(separator: "\n")
        try document.compare(json, with: "json")
        try document.compare(sql, with: "sql")
    }
}

/// Answers keep the order of their fields: a JSON library would not.
func prettyPrinted(_ json: String) throws -> String {
    var output = ""
    var depth = 0
    var isInString = false
    var isEscaped = false
    for character in json {
        if isInString {
            output.append(character)
            if isEscaped { isEscaped = false } else if character == "\\" { isEscaped = true } else if character == "\"" { isInString = false }
            continue
        }
        switch character {
        case "\"":
            isInString = true
            output.append(character)
        case "{", "[":
            depth += 1
            output.append(character)
            output.append("\n" + String(repeating: "  ", count: depth))
        case "}", "]":
            depth -= 1
            output.append("\n" + String(repeating: "  ", count: depth))
            output.append(character)
        case ",": output.append(",\n" + String(repeating: "  ", count: depth))
        case ":": output.append(": ")
        default: output.append(character)
        }
    }
    return output
}

struct OperationDocument {
    let url: URL
    let text: String
    let people: [Person]
    let variables: InputObject

    init(_ url: URL) throws {
        self.url = url
        text = try String(contentsOf: url, encoding: .utf8)
        var people: [Person] = []
        var variables = InputObject()
        for line in text.split(separator: "\n") where line.hasPrefix("# ") {
            if line.hasPrefix("# as: ") {
                people = try line.dropFirst(6).split(separator: ",").map {
                    try #require(Person(rawValue: $0.trimmingCharacters(in: .whitespaces)), "no such person: \($0)")
                }
            } else if line.hasPrefix("# variables: ") {
                guard case .object(let object) = try parseJSON(Array(line.dropFirst(13).utf8)) else {
                    throw CocoaError(.coderInvalidValue)
                }
                variables = object
            }
        }
        self.people = people.isEmpty ? [.nobody] : people
        self.variables = variables
    }

    func compare(_ actual: String, with suffix: String) throws {
        let golden = url.deletingPathExtension().appendingPathExtension(suffix)
        if ProcessInfo.processInfo.environment["TERTULIA_RECORD"] != nil {
            try actual.write(to: golden, atomically: true, encoding: .utf8)
        }
        let expected = try String(contentsOf: golden, encoding: .utf8)
        #expect(actual == expected, "\(golden.lastPathComponent)")
    }
}

/// Replaces what differs from run to run: ids and instants that were made just now, and tokens.
struct Normalizer {
    private var ids: [String: String] = [:]

    mutating func normalize(_ text: String) -> String {
        var text = text
        for match in text.matches(of: /"(user|viewer|session|thought|comment|event|image)_[0-9a-z]{26}"/).reversed() {
            let id = String(text[match.range])
            // The world's ids are of January 2026, a given instant.
            if id.contains("_01kdv") { continue }
            let name = ids[id] ?? "\"\(match.output.1)_<new \(ids.count + 1)>\""
            ids[id] = name
            text.replaceSubrange(match.range, with: name)
        }
        let year = Calendar(identifier: .gregorian).component(.year, from: Date())
        for match in text.matches(of: /"(\d{4})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/).reversed() {
            guard Int(match.output.1) == year, !text[match.range].hasPrefix("\"2026-01") else { continue }
            text.replaceSubrange(match.range, with: "\"<now>\"")
        }
        for match in text.matches(of: /"(eyJ|trt_)[A-Za-z0-9._-]+"/).reversed() {
            text.replaceSubrange(match.range, with: "\"<token>\"")
        }
        return text
    }
}
