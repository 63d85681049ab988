import Foundation
import TertuliaClient

/// `tertulia serve` with a private PostgreSQL, which ends with the object.
final class RealServer: @unchecked Sendable {
    let url: URL
    private let process: Process
    private let home: URL

    /// Starts the executable that was built beside the tests, or the one that `TERTULIA_EXECUTABLE` names.
    init(home: URL) async throws {
        self.home = home
        let process = Process()
        process.executableURL = Self.executable
        process.arguments = ["serve"]
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
        self.process = process
        url = try await Self.address(log, process)
    }

    deinit { stop() }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    private static var executable: URL {
        if let path = ProcessInfo.processInfo.environment["TERTULIA_EXECUTABLE"] { return URL(fileURLWithPath: path) }
        let tests = URL(fileURLWithPath: CommandLine.arguments[0])
        return tests.deletingLastPathComponent().appendingPathComponent("tertulia")
    }

    /// The address that the server prints once it serves.
    private static func address(_ log: URL, _ process: Process) async throws -> URL {
        let pattern = try Regex(#"serves (http://\S+/graphql),"#, as: (Substring, Substring).self)
        while process.isRunning {
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            if let match = text.firstMatch(of: pattern), let url = URL(string: String(match.output.1)) { return url }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw TransportError("The server did not start: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
    }
}
