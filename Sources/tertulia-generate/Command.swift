import Foundation
import GraphQL
import TertuliaGenerate

/// `tertulia-generate --schema FILE… --output FILE [--manifest FILE] [--public] [--scalar NAME=TYPE]… DOCUMENT…`
///
/// Exits with 1 where a schema or document is wrong or missing, or a file cannot be read or written, and with 64 where
/// the options are wrong.
@main struct Command {
    private var schema: [String] = []
    private var documents: [String] = []
    private var output: String?
    private var manifest: String?
    private var options = GenerationOptions()

    static func main() {
        do {
            var command = Command()
            try command.read(Array(CommandLine.arguments.dropFirst()))
            try command.run()
        } catch let error as WrongArguments {
            report("\(error.message)\n\(usage)")
            exit(64)
        } catch {
            report("\(error)")
            exit(1)
        }
    }

    private static let usage = """
        usage: tertulia-generate --schema FILE [--schema FILE …] --output FILE [--manifest FILE] [--public]
                                 [--scalar NAME=TYPE …] DOCUMENT …
        """

    private struct WrongArguments: Error { let message: String }

    private mutating func read(_ arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--schema": schema.append(try value(of: argument, &rest))
            case "--output": output = try value(of: argument, &rest)
            case "--manifest": manifest = try value(of: argument, &rest)
            case "--public": options.isPublic = true
            case "--scalar":
                let parts = try value(of: argument, &rest).split(separator: "=", maxSplits: 1).map(String.init)
                guard parts.count == 2 else { throw WrongArguments(message: "--scalar takes NAME=TYPE.") }
                options.scalars[parts[0]] = parts[1]
            default:
                guard !argument.starts(with: "-") else {
                    throw WrongArguments(message: "There is no option \(argument).")
                }
                documents.append(argument)
            }
        }
        if schema.isEmpty { throw WrongArguments(message: "--schema is missing.") }
        if output == nil { throw WrongArguments(message: "--output is missing.") }
    }

    private func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
        guard let value = rest.popFirst() else { throw WrongArguments(message: "\(option) takes a value.") }
        return value
    }

    private func run() throws {
        try GenerationRun(
            schema: schema, documents: documents, output: output ?? "", manifest: manifest, options: options
        ).run()
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
