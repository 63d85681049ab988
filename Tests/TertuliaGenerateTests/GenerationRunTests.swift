import Foundation
import GraphQL
import Testing

@testable import TertuliaGenerate

@Suite struct GenerationRunTests {
    @Test func aRunWithoutDocumentsIsRefused() throws {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).swift")
        let run = GenerationRun(schema: [], documents: [], output: output.path)
        let error = #expect(throws: GenerationFailure.self) {
            try run.run(builtIn: [Source("type Query { a: Int }")])
        }
        #expect(try #require(error).description.hasPrefix("error: No document is named"))
        #expect(!FileManager.default.fileExists(atPath: output.path))
    }
}
