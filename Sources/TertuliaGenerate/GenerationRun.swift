import Foundation
import GraphQL

/// One run of the generator: it reads files and writes files.
public struct GenerationRun: Sendable {
    /// The paths of the schema's files.
    public var schema: [String]
    /// The paths of the operations' files.
    public var documents: [String]
    /// The path of the Swift file.
    public var output: String
    /// The path of the file that a server takes as its trusted documents; nil for none.
    public var manifest: String?
    public var options: GenerationOptions

    public init(
        schema: [String], documents: [String], output: String, manifest: String? = nil,
        options: GenerationOptions = GenerationOptions()
    ) {
        self.schema = schema
        self.documents = documents
        self.output = output
        self.manifest = manifest
        self.options = options
    }

    /// Writes the files. A file whose content would stay the same is not touched, so that nothing is built again.
    ///
    /// - Parameter builtIn: the schema that is taken if `schema` is empty.
    /// - Throws: `GenerationFailure`.
    public func run(builtIn: [Source] = []) throws {
        if documents.isEmpty {
            throw GenerationFailure([GenerationProblem("No document is named: operations become Swift types.")])
        }
        let generated = try generateSwift(
            schema: schema.isEmpty ? builtIn : try schema.map(source), documents: try documents.map(source),
            options: options)
        try write(generated.source, to: output)
        if let manifest {
            var writer = JSONWriter()
            writer.write(InputObject(generated.documents.map { (name: $0.id, value: .string($0.text)) }))
            try write(String(decoding: writer.bytes, as: UTF8.self) + "\n", to: manifest)
        }
    }

    private func source(_ path: String) throws -> Source {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw GenerationFailure([GenerationProblem("The file cannot be read.", file: path)])
        }
        return Source(Array(data), name: path)
    }

    private func write(_ text: String, to path: String) throws {
        let data = Data(text.utf8)
        if FileManager.default.contents(atPath: path) == data { return }
        do { try data.write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            throw GenerationFailure([GenerationProblem("The file cannot be written.", file: path)])
        }
    }
}
