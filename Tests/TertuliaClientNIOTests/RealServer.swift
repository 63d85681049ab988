import Foundation
import TertuliaClient
import TestSupport

/// `tertulia serve` with a private PostgreSQL.
struct RealServer {
    let url: URL

    /// Runs the executable that was built beside the tests, or the one that `TERTULIA_EXECUTABLE` names, for as long as
    /// `body` runs. Its process has ended when this returns or throws.
    static func with(
        home: URL, arguments: [String] = [], _ body: (RealServer) async throws -> Void
    ) async throws {
        let process = Process()
        process.executableURL = executable
        process.arguments = ["serve"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            [
                "TERTULIA_HOME": home.appendingPathComponent("server").path, "HOST": "127.0.0.1", "PORT": "0",
                "METRICS_PORT": "0", "SHUTDOWN_DELAY": "0", "ANONYMOUS_ACCOUNTS_PER_HOUR": "0",
                "PASSWORD_HASH_LOG_N": "10",
            ], uniquingKeysWith: { $1 })
        process.environment?["DATABASE_URL"] = nil
        let log = home.appendingPathComponent("server.log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let output = try FileHandle(forWritingTo: log)
        process.standardOutput = output
        process.standardError = output
        try process.run()
        do {
            try await body(RealServer(url: try await address(log, process)))
        } catch {
            try? await end(process)
            throw error
        }
        try await end(process)
    }

    /// Sends SIGTERM, with which the server ends its PostgreSQL too, and SIGKILL after the deadline.
    private static func end(_ process: Process) async throws {
        if process.isRunning { process.terminate() }
        // The wait is a task of its own, so that a test which was cancelled waits too.
        let ending = Task { try await eventually("the end of the server") { !process.isRunning } }
        do { try await ending.value } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
    }

    private static var executable: URL {
        if let path = ProcessInfo.processInfo.environment["TERTULIA_EXECUTABLE"] { return URL(fileURLWithPath: path) }
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appendingPathComponent("tertulia")
    }

    /// The address that the server prints once it serves.
    private static func address(_ log: URL, _ process: Process) async throws -> URL {
        let pattern = try Regex(#"serves (http://\S+/graphql),"#, as: (Substring, Substring).self)
        var text = ""
        return try await eventualValue("a server that serves, after \(text)") {
            let isRunning = process.isRunning
            text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            if let match = text.firstMatch(of: pattern), let url = URL(string: String(match.output.1)) { return url }
            if !isRunning { throw TransportError("The server did not start: \(text)") }
            return nil
        }
    }
}
