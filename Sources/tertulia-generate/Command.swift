import Foundation
import GraphQL
import TertuliaGenerate

/// `tertulia-generate --schema FILE… --output FILE [--manifest FILE] [--public] [--scalar NAME=TYPE]… DOCUMENT…`
///
/// Exits with 1 where a schema or document is wrong, and with 64 where the arguments are.
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
        let generated = try generateSwift(
            schema: try schema.map(source), documents: try documents.map(source), options: options)
        if let output { try write(generated.source, to: output) }
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

    /// Leaves a file with the same content untouched, so that nothing is built again.
    private func write(_ text: String, to path: String) throws {
        let data = Data(text.utf8)
        if FileManager.default.contents(atPath: path) == data { return }
        do { try data.write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            throw GenerationFailure([GenerationProblem("The file cannot be written.", file: path)])
        }
    }

    private static func report(_ text: String) {
        FileHandle.standardError.write(Data((text + "\n").utf8))
    }
}
