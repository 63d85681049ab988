import FoundationEssentials
import Glibc
import SystemPackage
import Testing

@testable import tertulia

@Suite struct MachineChecksTests {
    private func checks(_ arguments: String...) throws -> MachineChecks {
        MachineChecks(configuration: try Configuration(SettingFlags.parse(arguments), environment: [:]))
    }

    @Test func aPortInUseIsNamed() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listens = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 1) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        try #require(listens)
        let port = Int(UInt16(bigEndian: address.sin_port))
        #expect(MachineChecks.bindError(host: "127.0.0.1", port: port) == .addressInUse)
        #expect(try checks("--port", "\(port)").port().verdict == .warning)
    }

    @Test func anotherMachinesAddressIsAProblem() throws {
        #expect(try checks("--host", "192.0.2.1").port().verdict == .problem)
    }

    @Test(arguments: [(0o600, Finding.Verdict.fine), (0o640, .problem), (0o604, .problem), (0o620, .problem)])
    func keysAreForTheirOwnerAlone(_ mode: Int, _ verdict: Finding.Verdict) throws {
        let file = "/tmp/tertulia-keys-\(getpid())-\(mode)"
        defer { unlink(file) }
        try "{}".write(toFile: file, atomically: false, encoding: .utf8)
        try #require(chmod(file, mode_t(mode)) == 0)
        #expect(try checks("--signing-keys", file).signingKeys().verdict == verdict)
    }

    @Test func keysThatAreNotThereAreMadeLater() throws {
        #expect(try checks("--signing-keys", "/tmp/no/such/keys.json").signingKeys().verdict == .fine)
    }

    @Test(arguments: [(100, Finding.Verdict.problem), (1000, .warning), (100_000, .fine)])
    func diskSpace(_ mebibytes: Int, _ verdict: Finding.Verdict) {
        #expect(MachineChecks.diskSpace(free: mebibytes << 20, of: "/data").verdict == verdict)
    }

    @Test func productionWithoutAWayForMailIsAProblem() throws {
        #expect(try checks().mail().verdict == .fine)
        #expect(try checks("--production").mail().verdict == .problem)
        #expect(try checks("--production", "--mail", "files").mail().verdict == .fine)
        let sent = try checks("--production", "--smtp-url", "smtps://ana:hunter2@mail.example.org").mail()
        #expect(sent == .fine("Mail", "smtps://ana:***@mail.example.org"))
    }

    @Test func aHomeWithinAFileCannotBeMade() throws {
        #expect(try checks("--home", "/dev/null/home").home().verdict == .problem)
    }
}
