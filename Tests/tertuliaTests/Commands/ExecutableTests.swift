import FoundationEssentials
import Glibc
import Migrations
import Postgres
import Subprocess
import SystemPackage
import Testing

@testable import tertulia

/// The built executable, run as a program.
@Suite struct ExecutableTests {
    private static let path: FilePath = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "/"
        return FilePath(tests).removingLastComponent().appending("tertulia")
    }()

    private func tertulia(
        _ arguments: String..., as user: OperatingSystemUser = .current, at path: FilePath = path
    ) async throws -> (code: Int32?, output: String, error: String) {
        try await tertulia(arguments, as: user, at: path)
    }

    private func tertulia(
        _ arguments: [String], as user: OperatingSystemUser = .current, at path: FilePath = path
    ) async throws -> (code: Int32?, output: String, error: String) {
        let answer = try await run(
            user.command(path, arguments), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard case .exited(let code) = answer.terminationStatus else { return (nil, "", "") }
        return (code, answer.standardOutput, answer.standardError)
    }

    /// sysexits.h, EX_USAGE
    @Test func aBadSettingEndsWith64AndOneLine() async throws {
        let answer = try await tertulia("config", "--port", "eighty")
        #expect(answer.code == 64)
        #expect(answer.output.isEmpty)
        #expect(answer.error == "--port: a port number from 0 to 65535 is expected, not \"eighty\".\n")
    }

    @Test func anUnknownFlagEndsWith64() async throws {
        #expect(try await tertulia("serve", "--colour", "red").code == 64)
    }

    @Test func aDatabaseThatCannotBeReachedIsSaid() async throws {
        let answer = try await tertulia("migrate", "--database-url", "postgresql://nobody@127.0.0.1:1/none")
        #expect(answer.code == 1)
        #expect(answer.error.contains("The database cannot be reached."))
    }

    /// What can be refused at once is refused before the private cluster is made.
    @Test(arguments: [
        ("--trusted-documents", "/no/such/manifest", "TERTULIA_TRUSTED_DOCUMENTS: /no/such/manifest cannot be read."),
        ("--mail", "smtp", "MAIL=smtp needs SMTP_URL."),
        ("--host", "192.0.2.1", "192.0.2.1:8080 cannot be listened on"),
        ("--public-url", "https://example.org", "In production nobody would get mail"),
    ])
    func serveRefusesAtOnce(_ flag: String, _ value: String, _ expected: String) async throws {
        try await TemporaryHome.with("home") { home in
            let isForProduction = flag == "--public-url"
            let answer = try await tertulia(
                [
                    "serve", "--home", home.string, "--port", flag == "--host" ? "8080" : "0", "--metrics-port", "0",
                    flag, value,
                ] + (isForProduction ? ["--production"] : []))
            #expect(answer.code == 1)
            #expect(answer.error.contains(expected), "\(answer.error)")
            #expect(access(home.string, F_OK) != 0)
        }
    }

    @Test func aPortInUseIsToldInOneLine() async throws {
        try await TemporaryHome.with("home") { home in
            let (listener, port) = try listener()
            defer { close(listener) }
            for (flags, setting) in [
                (["--port", "\(port)", "--metrics-port", "0"], "PORT"),
                (["--port", "0", "--metrics-port", "\(port)"], "METRICS_PORT"),
            ] {
                let answer = try await tertulia(["serve", "--home", home.string] + flags)
                #expect(answer.code == 1)
                #expect(
                    answer.error == """
                        Error: 127.0.0.1:\(port) is in use, perhaps by another tertulia (ss -ltnp 'sport = :\(port)' names \
                        the process): stop it, or choose another port with \(SettingOrigin.flagName(of: setting)) or \
                        \(setting).

                        """)
                #expect(access(home.string, F_OK) != 0)
            }
        }
    }

    /// The metrics take the port after it was found free, as another server may.
    @Test func aPortThatWasTakenMeanwhileIsToldToo() async throws {
        try await TemporaryHome.with { home in
            let (listener, port) = try listener()
            close(listener)
            let answer = try await tertulia(
                "serve", "--home", home.string, "--port", "\(port)", "--metrics-port", "\(port)")
            #expect(answer.code == 1)
            let last = answer.error.split(separator: "\n").last ?? ""
            #expect(last.hasPrefix("Error: 127.0.0.1:\(port) is in use, perhaps by"), "\(answer.error)")
            #expect(!answer.error.contains("cannot be read"), "\(answer.error)")
        }
    }

    private func listener() throws -> (descriptor: CInt, port: Int) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
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
        return (listener, Int(UInt16(bigEndian: address.sin_port)))
    }

    /// Swift's runtime ends the process, by SIGILL or SIGSEGV, where a thread cannot be made.
    @Test(arguments: [150, 200, 400, 800, 1600])
    func tooLittleAddressSpaceIsToldInOneLine(_ mebibytes: Int) async throws {
        try await TemporaryHome.with("home") { home in
            let answer = try await run(
                .path("/usr/bin/prlimit"),
                arguments: [
                    "--as=\(mebibytes << 20)", Self.path.string, "serve", "--home", home.string, "--port", "0",
                    "--metrics-port", "0",
                ], output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
            #expect(answer.terminationStatus == .exited(1))
            let expected = "Error: The address space is limited to \(mebibytes) MiB (ulimit -v), and"
            #expect(answer.standardError.hasPrefix(expected), "\(answer.standardError)")
            #expect(answer.standardError.split(separator: "\n").count == 1)
        }
    }

    @Test func seedSaysThatMigrateComesFirst() async throws {
        try await TemporaryHome.with("home") { home in
            let answer = try await tertulia("seed", "--home", home.string)
            #expect(answer.code == 1)
            #expect(answer.error.contains("The database is empty: run tertulia migrate first."), "\(answer.error)")
        }
    }

    @Test func schemaPrintsTheSDL() async throws {
        let answer = try await tertulia("schema")
        #expect(answer.code == 0)
        #expect(answer.output.contains("type Query {"))
        let introspection = try await tertulia("schema", "--json")
        #expect(introspection.code == 0)
        #expect(introspection.output.hasPrefix("{\"data\":{\"__schema\":"))
    }

    @Test func checkAndFormatSayByTheirCodeWhatIsWrong() async throws {
        try await TemporaryHome.with { directory in
            let path = { (name: String) in directory.appending(name).string }
            for (name, text) in ["s": "type Query { a: Int }", "good": "{a}", "bad": "{b}", "broken": "{"] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
            }
            #expect(try await tertulia("check", "--schema", path("s"), path("good")).code == 0)
            let json = try await tertulia("check", "--schema", path("s"), "--format", "json", path("good"), path("bad"))
            #expect(json.code == 1)
            #expect(json.output.split(separator: "\n").count == 2)
            #expect(try await tertulia("check", "--schema", path("s"), "--rule", "Nope", path("good")).code == 64)
            let format = try await tertulia("format", path("good"), path("broken"), path("bad"))
            #expect(format.code == 1)
            #expect(format.output == "{\n  a\n}\n{\n  b\n}\n")
            #expect(format.error.contains("broken:1:2: Syntax Error"))
        }
    }

    /// Drift ends with 1, a repair of it and an audit after that with 0.
    @Test func theAuditOfCountersSaysByItsCodeWhetherTheyDiffer() async throws {
        try await MigratedDatabase.with { cluster, connection in
            try await connection.execute(
                script: """
                    insert into users (id, username, display_name)
                    values ('019b7600-0000-7000-8000-00000000000a', 'ana', 'Ana');
                    insert into thoughts (id, author_id, category, text, status, published_at, like_count)
                    values ('019b7600-0000-7000-8000-000000000201', '019b7600-0000-7000-8000-00000000000a', 'FUNNY', 'x',
                      'PUBLISHED', now(), 3)
                    """)
            let line = "thought_01kdv00000e0080000000000g1 like_count: 3, counted 0\n"
            let audit = ["counters", "audit", "--database-url", cluster.url()]
            let found = try await tertulia(audit[0], audit[1], audit[2], audit[3])
            #expect(found.code == 1, "\(found.error)")
            #expect(found.output == "differs  \(line)1 objects recounted, 1 counters differed.\n")
            let repaired = try await tertulia(audit[0], audit[1], audit[2], audit[3], "--repair")
            #expect(repaired.code == 0, "\(repaired.error)")
            #expect(repaired.output == "repaired  \(line)1 objects recounted, 1 counters differed.\n")
            let after = try await tertulia(audit[0], audit[1], audit[2], audit[3])
            #expect(after.code == 0, "\(after.error)")
            #expect(after.output == "1 objects recounted, 0 counters differed.\n")
        }
    }

    @Test func migrateTellsOfAddressesThatLookEqual() async throws {
        try await MigratedDatabase.with { cluster, connection in
            let id = "019b7600-0000-7000-8000-00000000000"
            try await connection.execute(
                script: """
                    insert into users (id, display_name)
                    select ('\(id)' || n)::uuid, 'A' from generate_series(1, 4) n;
                    insert into credentials (user_id, email, password_hash) values
                    ('\(id)1', 'ana@example.org', '-'), ('\(id)2', 'ana@example.org' || chr(65279), '-'),
                    ('\(id)3', 'ben@bücher.de', '-'), ('\(id)4', 'cy' || chr(173) || '@example.org', '-')
                    """)
            let migrated = try await tertulia("migrate", "--database-url", cluster.url(user: Cluster.superuser))
            #expect(migrated.code == 0, "\(migrated.error)")
            #expect(
                migrated.output == """
                    Nothing to apply.
                    E-mail addresses brought into their form: 1
                    These accounts have e-mail addresses that are not accepted any more: \(id)4.
                    These accounts have e-mail addresses that look equal: \(id)1, \(id)2.

                    """)
        }
    }

    /// The schema of the next release is left as it is; that of the one after it is refused.
    @Test func migrateOfAnOlderReleaseChangesNothing() async throws {
        try await MigratedDatabase.with { cluster, connection in
            let number = MigrationSources.compatibility + 1
            try await connection.execute(
                "insert into schema_migrations values (9999, 'of_the_next', '', now(), interval '0', \(number))")
            let url = cluster.url(user: Cluster.superuser)
            let migrated = try await tertulia("migrate", "--database-url", url)
            #expect(migrated.code == 0, "\(migrated.error)")
            #expect(migrated.output == "A newer release has migrated this database: nothing is changed.\n")
            let status = try await tertulia("migrate", "--status", "--database-url", url)
            #expect(status.output.hasSuffix("newer  9999  of_the_next\n"))
            let doctor = try await tertulia("doctor", "--database-url", url)
            #expect(doctor.output.contains("1 of a newer release"))
            try await connection.execute(
                script: "update schema_migrations set compatibility = compatibility + 1 where version = 9999")
            for command in ["migrate", "serve"] {
                let refused = try await tertulia(command, "--database-url", url, "--port", "0")
                #expect(refused.code == 1)
                #expect(refused.error.contains("The database has migration 9999"), "\(refused.error)")
            }
        }
    }

    @Test(
        .enabled("root, and other users can run the executable") {
            guard OperatingSystemUser.current.isRoot, let nobody = OperatingSystemUser(name: "nobody") else {
                return false
            }
            return await nobody.canEnter(ExecutableTests.path.removingLastComponent())
        })
    func anotherUsersClusterIsAdoptedByRoot() async throws {
        let nobody = try #require(OperatingSystemUser(name: "nobody"))
        try await TemporaryHome.with { base in
            try #require(chmod(base.string, 0o777) == 0)
            let home = base.appending("home")
            let first = try await tertulia("migrate", "--home", home.string, as: nobody)
            #expect(first.code == 0, "\(first.error)")
            #expect(Directory(at: home.appending("postgres/data"))?.owner == nobody.id)
            let second = try await tertulia("migrate", "--status", "--home", home.string)
            #expect(second.code == 0, "\(second.error)")
            #expect(second.output.contains("applied  1  roles"))
            let foreign = try await tertulia(
                "migrate", "--home", home.string, as: try #require(OperatingSystemUser(name: "daemon")))
            #expect(foreign.code == 1)
            #expect(foreign.error.contains("belongs to nobody") || foreign.error.contains("denied"))
        }
    }
}
