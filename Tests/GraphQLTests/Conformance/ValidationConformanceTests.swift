import Foundation
import Testing

@testable import GraphQL

/// The recorded cases of document validation: messages, places and order.
@Suite(.enabled(if: ConformanceFolder.has("validation.jsonl")))
struct ValidationConformanceTests {
    @Test func everyRecordedDocumentGivesItsErrors() throws {
        let schemas = try recordedSchemas()
        let cases = try ConformanceCase.read("validation.jsonl")
        var passed = 0
        for recorded in cases {
            let schemaID = try #require(recorded.string("schema"))
            let schema = try #require(schemas[schemaID])
            let document = try parse(try #require(recorded.source("document")))
            let expected = try expectedErrors(recorded)
            let found = validate(
                document, against: schema, rules: try rules(recorded),
                options: ValidationOptions(maximumErrors: 100)
            ).map(RecordedError.init)
            if found == expected {
                passed += 1
            } else {
                Issue.record("\(recorded.id): expected \(expected), found \(found)")
            }
        }
        #expect(passed == cases.count && passed > 0)
        print("validation.jsonl: \(passed) / \(cases.count)")
    }

    private func rules(_ recorded: ConformanceCase) throws -> [ValidationRuleName] {
        guard case .list(let names)? = recorded.fields["rules"] else { return .specified }
        return try names.map { name in
            guard case .string(let name) = name else { throw CocoaError(.fileReadCorruptFile) }
            let ruleName = name.replacingOccurrences(of: "CustomRule", with: "").replacingOccurrences(
                of: "Rule", with: "")
            return try #require(ValidationRuleName(rawValue: ruleName), "\(name)")
        }
    }

    private func recordedSchemas() throws -> [String: Schema] {
        guard case .object(let schemas) = try parseJSON(ConformanceFolder.read("validation-schemas.json")) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return try Dictionary(
            uniqueKeysWithValues: schemas.fields.map { field in
                guard case .string(let text) = field.value else { throw CocoaError(.fileReadCorruptFile) }
                return (field.name, try buildSchema(parse(Source(text)), assumeValid: true))
            })
    }

    private func expectedErrors(_ recorded: ConformanceCase) throws -> [RecordedError] {
        guard case .list(let errors)? = recorded.fields["errors"] else { return [] }
        return try errors.map { error in
            guard case .object(let fields) = error else { throw CocoaError(.fileReadCorruptFile) }
            return try #require(RecordedError(fields))
        }
    }
}
