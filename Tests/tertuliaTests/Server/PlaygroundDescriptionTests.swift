import App
import GraphQL
import Testing

@testable import tertulia

/// The playground's description names only what the schema has.
struct PlaygroundDescriptionTests {
    private func queries(in value: InputValue) -> [String] {
        switch value {
        case .object(let object):
            object.fields.flatMap { name, value in name == "query" ? [text(value)] : queries(in: value) }
        case .list(let values): values.flatMap(queries)
        default: []
        }
    }

    /// A string, or a list of lines.
    private func text(_ value: InputValue) -> String {
        switch value {
        case .string(let text): text
        case .list(let lines): lines.map(text).joined(separator: "\n")
        default: ""
        }
    }

    @Test func itsOperationsAreValid() throws {
        let schema = try Domain.executableSchema().schema
        let description = try parseJSON(Server.playgroundDescription)
        let documents = queries(in: description)
        #expect(documents.count >= 12)
        for document in documents {
            let errors = DocumentCheck(schema: schema).errors(in: Source(document))
            #expect(errors.isEmpty, "\(errors.map(\.message)) in \(document)")
        }
    }
}
