import Foundation
import GraphQL

/// The files of this repository that the tests read.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files of a folder with an extension, by name.
    static func sources(_ folder: String, _ pathExtension: String = "graphql") throws -> [Source] {
        let folder = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix("." + pathExtension) }
            .map { try source(folder.appendingPathComponent($0)) }
    }

    /// The text of all files of a folder.
    static func text(_ folder: String) throws -> String {
        let folder = root.appendingPathComponent(folder)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .map { try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8) }.joined(separator: "\n")
    }

    static func source(_ file: URL) throws -> Source {
        Source(Array(try Data(contentsOf: file)), name: file.lastPathComponent)
    }
}
