import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import tertulia

/// A TERTULIA_HOME for one test; what still runs in it is stopped, and it is removed.
enum TemporaryHome {
    /// - Parameter name: of a directory in the temporary one that is the home; empty for that one itself.
    static func with(_ name: String = "", _ body: (FilePath) async throws -> Void) async throws {
        await ClusterGate.shared.enter()
        do {
            try await withoutGate(name, body)
        } catch {
            await ClusterGate.shared.leave()
            throw error
        }
        await ClusterGate.shared.leave()
    }

    private static func withoutGate(_ name: String, _ body: (FilePath) async throws -> Void) async throws {
        var template = Array("/tmp/tertulia-test-XXXXXX".utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        try #require(isMade)
        let base = FilePath(String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
        try #require(chmod(base.string, 0o755) == 0)
        let home = name.isEmpty ? base : base.appending(name)
        defer {
            let data = home.appending("postgres/data")
            if let left = Postmaster.running(in: data) { kill(left.process, SIGQUIT) }
            var looks = 0
            while Postmaster.running(in: data) != nil, looks < 30_000 {
                usleep(10_000)
                looks += 1
            }
            #expect(Postmaster.running(in: data) == nil, "the postmaster has not ended")
            try? FileManager.default.removeItem(atPath: base.string)
        }
        try await body(home)
    }
}

/// Lets two tests at a time have clusters: with all of them at once each waits for the disk, and deadlines pass.
private actor ClusterGate {
    static let shared = ClusterGate()

    private var free = 2
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
