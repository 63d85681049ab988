import Foundation
import Testing

@testable import GraphQL

/// Recorded verdicts on type-system documents, read from beside the project where they are there.
@Suite struct SDLConformanceTests {
    private struct Case: Decodable {
        struct RecordedError: Decodable {
            struct Place: Decodable {
                let line: Int
                let column: Int
            }

            let message: String
            let locations: [Place]
        }

        let id: String
        let rules: [String]
        let document: String
        let schemaText: String?
        let errors: [RecordedError]
    }

    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "../shared/conformance/validation-sdl.jsonl")

    @Test(.enabled(if: FileManager.default.fileExists(atPath: file.path)))
    func givesTheRecordedErrors() throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let cases = try lines.map { try JSONDecoder().decode(Case.self, from: Data($0.utf8)) }
        var passed = 0
        for item in cases {
            let found = try validate(item)
            let recorded = item.errors.map { error in
                GraphQLError(
                    error.message, locations: error.locations.map { SourceLocation(line: $0.line, column: $0.column) })
            }
            #expect(found == recorded, "\(item.id)")
            if found == recorded { passed += 1 }
        }
        print("validation-sdl.jsonl: \(passed) / \(cases.count)")
        #expect(passed == cases.count && passed > 0)
    }

    private func validate(_ item: Case) throws -> [GraphQLError] {
        let schema = try item.schemaText.map { try buildSchema(try parse(Source($0)), assumeValid: true) }
        let rules = specifiedSDLRules.filter { rule in
            let name = String(describing: rule)
            return item.rules.contains(name + "Rule") || item.rules.contains { name == $0.dropLast(4) + "InSDL" }
        }
        #expect(rules.count == item.rules.count, "\(item.rules)")
        return validateSDL(try parse(Source(item.document)), extending: schema, rules: rules)
    }
}
