import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import tertulia

/// A TERTULIA_HOME for one test; what still runs in it is stopped, and it is removed.
enum TemporaryHome {
    /// - Parameter name: of a directory in the temporary one that is the home; empty for that one itself.
    static func with(_ name: String = "", _ body: (FilePath) async throws -> Void) async throws {
        var template = Array("/tmp/tertulia-test-XXXXXX".utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap { mkdtemp($0) } != nil }
        try #require(isMade)
        let base = FilePath(String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
        try #require(chmod(base.string, 0o755) == 0)
        let home = name.isEmpty ? base : base.appending(name)
        defer {
            let data = home.appending("postgres/data")
            if let left = Postmaster.running(in: data) { kill(left.process, SIGQUIT) }
            while Postmaster.running(in: data) != nil { usleep(10_000) }
            try? FileManager.default.removeItem(atPath: base.string)
        }
        try await body(home)
    }
}
