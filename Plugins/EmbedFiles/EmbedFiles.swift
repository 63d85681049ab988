import Foundation
import PackagePlugin

/// Writes `EmbeddedFiles.all`, the paths (below the target's directory) and texts of a target's .sql and .graphql files
/// and of a web page's files, in the order of their paths, as string literals. After a change of one migration these
/// take the compiler a second of CPU time; the arrays of bytes that `.embedInCode` makes took 38.
/// `EmbeddedFiles.compressed` has the web page's files again, compressed by gzip (RFC 1952) and written in base64
/// without padding. Its entry without a name makes it a valid literal where a target has no such files.
@main struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        let files = target.sourceFiles.map(\.url).filter { Self.extensions.contains($0.pathExtension) }
            .sorted { $0.path() < $1.path() }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of \(target.name)",
                executable: URL(filePath: "/bin/sh"),
                arguments: ["-c", Self.script, "sh", output.path(), target.directoryURL.path()]
                    + files.map { $0.path() },
                inputFiles: files, outputFiles: [output])
        ]
    }

    private static let extensions: Set = ["sql", "graphql", "html", "css", "js"]

    /// The line break before the closing delimiter is not part of a literal.
    private static let script = ####"""
        set -e
        output=$1
        directory=${2%/}
        shift 2
        {
            echo 'enum EmbeddedFiles {'
            echo '    static let all: [(name: String, text: String)] = ['
            for file; do
                printf '        ("%s", ###"""\n' "${file#"$directory"/}"
                cat "$file"
                printf '\n"""###),\n'
            done
            echo '    ]'
            echo '    static let compressed: [String: String] = ['
            for file; do
                case $file in *.html | *.css | *.js)
                    printf '        "%s": "%s",\n' "${file#"$directory"/}" "$(gzip -9nc "$file" | base64 | tr -d '\n=')" ;;
                esac
            done
            echo '        "": ""'
            echo '    ]'
            echo '}'
        } > "$output"
        """####
}
