import App
import ArgumentParser
import GraphQL
import TertuliaGenerate

struct Generate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write code for clients.", subcommands: [GenerateSwift.self])
}

/// Does the same as the command `tertulia-generate`, which the builds of apps call without the server.
struct GenerateSwift: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "swift", abstract: "Write Swift types for the operations of an app with TertuliaClient.")

    @Option(help: "A file of the schema; may be given several times. By default this server's schema.")
    var schema: [String] = []
    @Option(help: "The Swift file to write.") var output: String
    @Option(help: "The file of trusted documents to write, for TERTULIA_TRUSTED_DOCUMENTS.") var manifest: String?
    @Flag(name: .customLong("public"), help: "Let other modules see the types.") var isPublic = false
    @Option(help: ArgumentHelp("The Swift type of a custom scalar.", valueName: "name=type")) var scalar: [String] = []
    @ArgumentParser.Argument(help: "Files of operations and fragments.") var documents: [String]

    func run() throws {
        var options = GenerationOptions(isPublic: isPublic)
        for pair in scalar {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ValidationError("--scalar takes NAME=TYPE.") }
            options.scalars[parts[0]] = parts[1]
        }
        let builtIn = schema.isEmpty ? [Source(printSchema(try Domain.schema()), name: "the server's schema")] : []
        do {
            try GenerationRun(
                schema: schema, documents: documents, output: output, manifest: manifest, options: options
            ).run(builtIn: builtIn)
        } catch let failure as GenerationFailure {
            print(failure)
            throw ExitCode(1)
        }
    }
}
