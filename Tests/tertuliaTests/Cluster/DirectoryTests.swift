import FoundationEssentials
import SystemPackage
import Testing

@testable import tertulia

@Suite struct DirectoryTests {
    private let owner = OperatingSystemUser.current.isRoot ? OperatingSystemUser(name: "nobody") : .current

    /// A process that starts beside this one never sees a directory of another owner or mode.
    @Test func aDirectoryAppearsWithItsModeAndOwner() async throws {
        let owner = try #require(owner)
        try await TemporaryHome.with { home in
            for number in 0..<300 {
                let path = home.appending("\(number)")
                let making = Task.detached {
                    try Directory.make(path, mode: 0o700, owner: owner, parents: 0o755)
                }
                var seen = Directory(at: path)
                while seen == nil {
                    await Task.yield()
                    seen = Directory(at: path)
                }
                #expect(seen?.isPrivate(to: owner) == true)
                try await making.value
            }
        }
    }

    @Test func manyThatMakeOneAgree() async throws {
        let owner = try #require(owner)
        try await TemporaryHome.with { home in
            let path = home.appending("parent/directory")
            try await withThrowingTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask { try Directory.make(path, mode: 0o700, owner: owner, parents: 0o755) }
                }
                try await group.waitForAll()
            }
            #expect(Directory(at: path)?.isPrivate(to: owner) == true)
            #expect(Directory(at: home.appending("parent"))?.mode == 0o755)
            // What is there stays, with what is in it.
            try Directory.make(path.appending("below"), mode: 0o700, owner: owner, parents: 0o755)
            try Directory.make(path, mode: 0o711, owner: owner, parents: 0o755)
            #expect(Directory(at: path)?.mode == 0o700)
            #expect(Directory(at: path.appending("below")) != nil)
            // Nothing unfinished is left.
            let names = try FileManager.default.contentsOfDirectory(atPath: home.appending("parent").string)
            #expect(names == ["directory"])
        }
    }
}
