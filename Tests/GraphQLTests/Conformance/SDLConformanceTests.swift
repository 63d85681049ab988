import Foundation
import Testing

@testable import GraphQL

/// The recorded cases of type-system documents, some of which extend a schema.
@Suite(.enabled(if: ConformanceFolder.has("validation-sdl.jsonl")))
struct SDLConformanceTests {
    @Test func everyRecordedDocumentGivesItsErrors() throws {
        let cases = try ConformanceCase.read("validation-sdl.jsonl")
        var passed = 0
        for recorded in cases {
            let schema = try recorded.source("schemaText").map { try buildSchema(try parse($0), assumeValid: true) }
            let document = try parse(try #require(recorded.source("document")))
            let found = validateSDL(document, extending: schema, rules: try rules(recorded)).map(RecordedError.init)
            let expected = try expectedErrors(recorded)
            if found == expected {
                passed += 1
            } else {
                Issue.record("\(recorded.id): expected \(expected), found \(found)")
            }
        }
        #expect(passed == cases.count && passed > 0)
        print("validation-sdl.jsonl: \(passed) / \(cases.count)")
    }

    private func rules(_ recorded: ConformanceCase) throws -> [any SDLRule.Type] {
        guard case .list(let names)? = recorded.fields["rules"] else { return specifiedSDLRules }
        return try names.map { name in
            guard case .string(let name) = name else { throw CocoaError(.fileReadCorruptFile) }
            let rule = specifiedSDLRules.first {
                String(describing: $0).replacingOccurrences(of: "InSDL", with: "") + "Rule" == name
            }
            return try #require(rule, "\(name)")
        }
    }

    private func expectedErrors(_ recorded: ConformanceCase) throws -> [RecordedError] {
        guard case .list(let errors)? = recorded.fields["errors"] else { return [] }
        return try errors.map { error in
            guard case .object(let fields) = error else { throw CocoaError(.fileReadCorruptFile) }
            return try #require(RecordedError(fields))
        }
    }
}
