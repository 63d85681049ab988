import Cryptography
import Testing

@testable import Auth

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite final class SigningKeysFileTests {
    private let directory: String
    private var file: SigningKeysFile { SigningKeysFile(path: directory + "/keys.json") }

    init() throws {
        directory = "/tmp/tertulia-keys-\(Hex.encode(SecureRandom.bytes(8)))"
        try #require(mkdir(directory, 0o700) == 0)
    }

    deinit {
        for name in names() { unlink(directory + "/" + name) }
        rmdir(directory)
    }

    private func names() -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private func write(_ text: String) throws {
        let stream = try #require(fopen(file.path, "w"))
        fputs(text, stream)
        fclose(stream)
    }

    @Test func madeOnTheFirstStartForItsOwnerAlone() throws {
        #expect(throws: SigningKeysFile.Failure.notFound) { try self.file.load() }
        let made = try file.loadOrCreate(now: 1_000)
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(names() == ["keys.json"])
        let loaded = try file.loadOrCreate(now: 2_000)
        #expect(loaded.keys.map(\.kid) == made.keys.map(\.kid))
        #expect(loaded.keys[0].privateKey.rawRepresentation == made.keys[0].privateKey.rawRepresentation)
        #expect(loaded.keys[0].createdAt == 1_000)
        #expect(loaded.secrets.refreshToken == made.secrets.refreshToken)
        #expect(loaded.secrets.idempotency == made.secrets.idempotency)
        #expect(loaded.secrets.imageSignature == made.secrets.imageSignature)
        #expect(Set([made.secrets.refreshToken, made.secrets.idempotency, made.secrets.imageSignature]).count == 3)
    }

    @Test func manyFirstStartsAtOnceHaveOneFile() async throws {
        let file = file
        let kids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<32 { group.addTask { try file.loadOrCreate(now: 1).keys[0].kid } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(kids.count == 1)
        #expect(names() == ["keys.json"])
    }

    @Test func rotationsAtOnceAreAllKept() async throws {
        let file = file
        let first = try file.loadOrCreate(now: 1_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try file.rotate(now: 2_000, tokenLifetime: 900) } }
            try await group.waitForAll()
        }
        let rotated = try file.load()
        #expect(rotated.keys.count == 9)
        #expect(rotated.keys[0].kid == first.keys[0].kid)
        let retirement: Int64 = 2_000 + 3_600 + 1_800
        #expect(rotated.keys[0].retireAt == retirement)
        #expect(rotated.keys.filter { $0.retireAt == nil }.count == 1)
        var status = stat()
        #expect(stat(file.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(names() == ["keys.json"])
    }

    @Test(arguments: [
        "", "{}", "{\"keys\":[],\"secrets\":{}}", "not json", "{\"keys\":[{\"kid\":\"../../etc/passwd\"}]}",
    ])
    func whatIsNoKeyFile(text: String) throws {
        try write(text)
        #expect(throws: SigningKeysFile.Failure.malformed) { try self.file.loadOrCreate(now: 1) }
    }

    @Test func aKidThatIsNotTheKeysThumbprint() throws {
        let keys = SigningKeys.generate(now: 1)
        let text = String(decoding: SigningKeysFormat.encode(keys), as: UTF8.self)
        let kid = keys.keys[0].kid
        let parts = text.split(separator: kid, omittingEmptySubsequences: false)
        try #require(parts.count == 2)
        try write(parts.joined(separator: "another"))
        #expect(throws: SigningKeysFile.Failure.malformed) { try self.file.load() }
    }

    @Test func aFileThatOthersMayWrite() throws {
        _ = try file.loadOrCreate(now: 1)
        chmod(file.path, 0o620)
        #expect(throws: SigningKeysFile.Failure.writableByOthers) { try self.file.load() }
    }

    @Test func aDirectoryThatIsMissing() {
        let file = SigningKeysFile(path: directory + "/none/keys.json")
        #expect(throws: SigningKeysFile.Failure.system(call: "open", errno: ENOENT)) {
            try file.loadOrCreate(now: 1)
        }
    }
}
