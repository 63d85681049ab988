import Foundation

/// The compiler, with the client as a built module, as the build of an app has it.
enum SwiftCompiler {
    enum Pass: String {
        case types = "-typecheck"
        /// Types, numbers that their types do not hold, and properties without a value.
        case diagnostics = "-emit-sil"
    }

    /// The errors and warnings of a file, each with the line that it is about.
    static func problems(in source: String, _ pass: Pass = .diagnostics) async throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Generated.swift")
        try Data(source.utf8).write(to: file)
        let messages = folder.appendingPathComponent("messages")
        _ = FileManager.default.createFile(atPath: messages.path, contents: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", pass.rawValue, "-swift-version", "6", "-diagnostic-style", "llvm"]
            + modules.flatMap { ["-I", $0.path] } + [file.path]
        process.standardError = try FileHandle(forWritingTo: messages)
        process.standardOutput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { ended.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { ended.resume(throwing: error) }
        }
        let text = try String(contentsOf: messages, encoding: .utf8)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let problems = text.split(separator: "\n").compactMap { message -> String? in
            guard let found = message.firstMatch(of: /:(\d+):(?:\d+:)? ((error|warning): .*)/) else { return nil }
            let line = Int(found.1).flatMap { lines.indices.contains($0 - 1) ? String(lines[$0 - 1]) : nil }
            return "\(found.2) in: \(line ?? "")"
        }
        return status == 0 || !problems.isEmpty ? problems : [text]
    }

    /// The folders of the modules that SwiftPM on Linux builds beside the tests, and that of GRDB's SQLite.
    private static let modules: [URL] = {
        let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
            .deletingLastPathComponent()
        let scratch = products.deletingLastPathComponent().deletingLastPathComponent()
        return [
            products.appendingPathComponent("Modules"),
            scratch.appendingPathComponent("checkouts/GRDB.swift/Sources/GRDBSQLite"),
        ]
    }()
}
