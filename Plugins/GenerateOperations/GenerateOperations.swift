import Foundation
import PackagePlugin

/// Writes Swift types for the .graphql and .graphqls files of a target. Files that lie in a folder `schema`, or whose
/// names begin with `schema.`, are the schema; every other file is a document.
///
/// The target's file `documents.txt` names files that several targets share: a path on each line, which begins at the
/// target's folder. After the word `schema` the path is that of the schema: a file, or a folder of files.
@main struct GenerateOperations: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let target = target.sourceModule else { return [] }
        return [
            command(
                files: target.sourceFiles.map(\.url), shared: try SharedFiles(of: target.directoryURL),
                name: target.name, tool: try context.tool(named: "tertulia-generate").url,
                folder: context.pluginWorkDirectoryURL)
        ]
    }

    private func command(files: [URL], shared: SharedFiles?, name: String, tool: URL, folder: URL) -> Command {
        let own = files.filter(\.isGraphQL).sorted { $0.path() < $1.path() }
        let schema = own.filter(isSchema) + (shared?.schema ?? [])
        let documents = own.filter { !isSchema($0) } + (shared?.documents ?? [])
        let output = folder.appending(path: "TertuliaOperations.swift")
        return .buildCommand(
            displayName: "Writing Swift for \(documents.count) documents of \(name)", executable: tool,
            arguments: schema.flatMap { ["--schema", $0.path()] } + ["--output", output.path()]
                + documents.map { $0.path() },
            inputFiles: schema + documents + (shared.map { [$0.list] } ?? []), outputFiles: [output])
    }

    private func isSchema(_ file: URL) -> Bool {
        file.lastPathComponent.hasPrefix("schema.") || file.deletingLastPathComponent().lastPathComponent == "schema"
    }
}

/// The files that `documents.txt` names.
private struct SharedFiles {
    let list: URL
    private(set) var schema: [URL] = []
    private(set) var documents: [URL] = []

    /// nil for a target without the file.
    init?(of folder: URL) throws {
        list = folder.appending(path: "documents.txt")
        guard FileManager.default.fileExists(atPath: list.path()) else { return nil }
        for line in try String(contentsOf: list, encoding: .utf8).split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            if words.count == 2, words[0] == "schema" {
                schema += try files(at: folder.appending(path: words[1]).standardizedFileURL)
            } else {
                documents.append(folder.appending(path: String(line)).standardizedFileURL)
            }
        }
    }

    /// The GraphQL files of a folder, or the file itself.
    private func files(at place: URL) throws -> [URL] {
        guard !place.isGraphQL else { return [place] }
        return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
            .filter(\.isGraphQL).sorted { $0.path() < $1.path() }
    }
}

extension URL {
    fileprivate var isGraphQL: Bool { ["graphql", "graphqls"].contains(pathExtension) }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension GenerateOperations: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            [
                command(
                    files: target.inputFiles.map(\.url), shared: nil, name: target.displayName,
                    tool: try context.tool(named: "tertulia-generate").url, folder: context.pluginWorkDirectoryURL)
            ]
        }
    }
#endif
