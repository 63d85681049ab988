import ArgumentParser
import GraphQL
import GraphQLTransport

struct Format: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print documents or SDL in canonical form; exit 1 if one does not parse.",
        discussion: "The canonical form has no comments: descriptions stay, comments are lost.")

    @Flag(help: "Overwrite the files that are not in canonical form, in place of printing them.")
    var write = false

    @Flag(help: "With --write: overwrite files with comments, too.")
    var dropComments = false

    @ArgumentParser.Argument(help: ArgumentHelp("Files to format.", valueName: "file"))
    var files: [String]

    func run() throws {
        var isFine = true
        for path in files {
            do {
                let file = try DocumentFile(path)
                let text = try GraphQL.parse(file.source).printed + "\n"
                if write { try overwrite(file, text) } else { print(text, terminator: "") }
            } catch {
                isFine = false
                StructuredLogHandler.writeToStandardError(Self.line(error, path))
            }
        }
        if !isFine { throw ExitCode.failure }
    }

    private func overwrite(_ file: DocumentFile, _ text: String) throws {
        if Array(text.utf8) == file.source.bytes { return }
        if file.hasComments && !dropComments {
            throw CommandFailure("It has comments, which would be lost; --drop-comments drops them.")
        }
        try file.write(text)
    }

    private static func line(_ error: any Error, _ path: String) -> String {
        switch error {
        case let error as GraphQLError: "\(error.place(in: path)): \(error.message)\n"
        default: "\(path): \(error)\n"
        }
    }
}
