import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import tertulia

/// PostgreSQL's programs in a directory of their own, which are upgraded while they run: what is on disk is then the
/// installed version again, and the library of PL/pgSQL that the running server finds is not its own.
///
/// A server looks for its libraries beside its program: Debian's bin/postgres beside lib/.
struct UpgradedPrograms {
    let installation: PostgreSQLInstallation
    private let base: FilePath
    private let installed: FilePath
    private var current: FilePath { base.appending("current") }
    private var library: FilePath { base.appending("old/lib/plpgsql.so") }

    init(in directory: FilePath) async throws {
        let found = try #require(await PostgreSQLInstallation.find())
        installed = found.programs.removingLastComponent()
        base = directory.appending("programs")
        let files = FileManager.default
        for name in ["old/bin", "old/lib"] {
            try files.createDirectory(atPath: base.appending(name).string, withIntermediateDirectories: true)
        }
        // A program finds its directory by its own file, so a link would lead back to the installed one.
        for name in ["postgres", "pg_ctl", "initdb"] {
            try files.copyItem(
                atPath: installed.appending("bin/\(name)").string, toPath: base.appending("old/bin/\(name)").string)
        }
        for name in try files.contentsOfDirectory(atPath: installed.appending("lib").string) {
            try files.createSymbolicLink(
                atPath: base.appending("old/lib/\(name)").string,
                withDestinationPath: installed.appending("lib/\(name)").string)
        }
        try files.createSymbolicLink(atPath: base.appending("current").string, withDestinationPath: "old")
        installation = try #require(await PostgreSQLInstallation(programs: base.appending("current/bin")))
    }

    /// As dpkg does it: the new file takes the old one's name.
    func upgrade() throws {
        let file = library.string
        try "not a library of this server".write(toFile: file + ".new", atomically: false, encoding: .utf8)
        try #require(rename(file + ".new", file) == 0)
        let link = current.string
        try FileManager.default.createSymbolicLink(atPath: link + ".new", withDestinationPath: installed.string)
        try #require(rename(link + ".new", link) == 0)
    }
}
