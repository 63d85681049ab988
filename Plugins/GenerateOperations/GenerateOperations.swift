import Foundation
import PackagePlugin

/// Writes Swift types for the .graphql files of a target. The schema is what lies in a folder `schema` or is called
/// `schema.graphql`; every other file is a document.
@main struct GenerateOperations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        return [
            command(
                files: target.sourceFiles.map(\.url), name: target.name,
                tool: try context.tool(named: "tertulia-generate").url,
                folder: context.pluginWorkDirectoryURL)
        ]
    }

    private func command(files: [URL], name: String, tool: URL, folder: URL) -> Command {
        let files = files.filter { ["graphql", "graphqls"].contains($0.pathExtension) }
            .sorted { $0.path() < $1.path() }
        let schema = files.filter(isSchema)
        let documents = files.filter { !isSchema($0) }
        let output = folder.appending(path: "TertuliaOperations.swift")
        return .buildCommand(
            displayName: "Writing Swift for \(documents.count) documents of \(name)", executable: tool,
            arguments: schema.flatMap { ["--schema", $0.path()] } + ["--output", output.path()]
                + documents.map { $0.path() },
            inputFiles: files, outputFiles: [output])
    }

    private func isSchema(_ file: URL) -> Bool {
        file.lastPathComponent.hasPrefix("schema.") || file.deletingLastPathComponent().lastPathComponent == "schema"
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension GenerateOperations: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            [
                command(
                    files: target.inputFiles.map(\.url), name: target.displayName,
                    tool: try context.tool(named: "tertulia-generate").url, folder: context.pluginWorkDirectoryURL)
            ]
        }
    }
#endif
