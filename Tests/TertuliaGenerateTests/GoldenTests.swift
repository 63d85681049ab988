import ClientDocuments
import Foundation
import GraphQL
import TestSupport
import Testing

@testable import TertuliaGenerate

/// The golden file is built and used by the client's tests, so that it compiles without a warning.
@Suite struct GoldenTests {
    private let golden = Repository.root.appendingPathComponent(
        "Tests/ClientOperations/TertuliaOperations.swift")

    private func generate(reversed: Bool = false) throws -> GeneratedSwift {
        let documents = try Repository.sources("Tests/ClientOperations")
        return try generateSwift(
            schema: try Repository.sources("schema"), documents: reversed ? documents.reversed() : documents,
            options: GenerationOptions(isPublic: true))
    }

    @Test func writesAsRecorded() throws {
        try compareWithRecorded(generate().source, in: golden)
    }

    @Test func orderOfTheFilesDoesNotMatter() throws {
        #expect(try generate() == generate(reversed: true))
    }

    @Test func documentsAreKnownByTheirDigest() throws {
        let generated = try generate()
        #expect(!generated.documents.isEmpty)
        for (id, text) in generated.documents {
            #expect(id == SHA256.hexadecimal(text))
            #expect(!text.contains("@live"))
        }
        let ofSession = SessionDocuments.all.map(\.document.id)
        let ofOperations = generated.documents.map(\.id).dropLast(ofSession.count)
        #expect(generated.documents.suffix(ofSession.count).map(\.id) == ofSession)
        #expect(!ofOperations.isEmpty)
        for id in ofOperations { #expect(generated.source.contains("documentID = \"\(id)\"")) }
    }

    /// A server that has no accounts would refuse a manifest with their mutations.
    @Test func onlyDocumentsOfTheSchemaAreInTheManifest() throws {
        let schema = Source("type Query { hello: String } type Mutation { signUp(name: String): String }")
        let generated = try generateSwift(schema: [schema], documents: [Source("query Hello { hello }")])
        #expect(generated.documents.map(\.text) == ["query Hello {\n  hello\n}"])
    }

    /// Source: FIPS 180-4's examples, as NIST publishes them
    @Test func digests() {
        #expect(SHA256.hexadecimal("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hexadecimal("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(
            SHA256.hexadecimal("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }

    /// The documents of the server's own tests: every kind of operation, deferred parts, uploads and oneOf inputs.
    @Test func takesTheDocumentsOfTheServersTests() throws {
        let schema = try Repository.sources("schema")
        let tests = Repository.root.appendingPathComponent("Tests/AppTests")
        let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path).sorted()
            .filter { $0.hasSuffix(".graphql") }
        #expect(files.count > 50)
        for file in files {
            let source = try Repository.source(tests.appendingPathComponent(file))
            do { _ = try generateSwift(schema: schema, documents: [source]) } catch {
                // Some documents are wrong on purpose, or name nothing.
                let isOurs = error.problems.contains { !isMistake($0.message) }
                if isOurs { Issue.record("\(file): \(error)") }
            }
        }
    }

    private func isMistake(_ message: String) -> Bool {
        [
            "needs a name", "Cannot query field", "Unknown argument", "must have a selection", "There can be only one",
            "Expected value of type", "does not exist in", "is required", "Syntax Error", "is reserved",
            "is not defined",
            "Unknown type", "the store's name", "is never used", "needs a label", "Fields \"",
            "must not have a selection", "must specify exactly one key",
        ].contains { message.contains($0) }
    }
}
