import FoundationEssentials
import Glibc
import Logging
import Subprocess
import SystemPackage
import TestSupport
import Testing

@testable import tertulia

/// On real clusters, each in a directory of its own.
@Suite struct ClusterTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func ask(_ cluster: Cluster, _ query: String, user: String = Cluster.loginRole) async throws -> String {
        let psql = try #require(await PostgreSQLInstallation.find()).programs.appending("psql")
        let answer = try await run(
            .path(psql), arguments: ["-XAtqc", query, cluster.url(user: user)],
            output: .string(limit: 65_536), error: .string(limit: 65_536))
        try #require(answer.terminationStatus.isSuccess, "\(answer.standardError)")
        return String(answer.standardOutput.dropLast())
    }

    @Test func aNewClusterIsPrivateAndComplete() async throws {
        try await TemporaryHome.with { home in
            let cluster = try await Cluster.open(home: home, logger: logger)
            #expect(cluster.isOurs)
            #expect(
                try await ask(
                    cluster,
                    """
                    select current_database(), rolsuper, rolcreaterole, rolbypassrls, rolinherit
                    from pg_roles where rolname = current_user
                    """) == "tertulia|f|f|f|f")
            #expect(
                try await ask(
                    cluster,
                    "select string_agg(rolname, ' ' order by 1) from pg_roles where pg_has_role(oid, 'member')")
                    == "tertulia tertulia_server tertulia_worker")
            #expect(
                try await ask(
                    cluster,
                    """
                    select string_agg(name || '=' || setting, ' ' order by name) from pg_settings
                    where name in ('data_checksums', 'fsync', 'listen_addresses', 'server_encoding', 'synchronous_commit')
                    """)
                    == "data_checksums=on fsync=on listen_addresses= server_encoding=UTF8 synchronous_commit=on")
            #expect(
                try await ask(cluster, "select datcollate from pg_database where datname = 'tertulia'") == "C.UTF-8")
            let socket = try #require(Directory(at: cluster.postmaster.socketDirectory))
            #expect(socket.isPrivate(to: cluster.location.owner))
            #expect(!cluster.location.owner.isRoot)

            try await cluster.close()
            #expect(Postmaster.running(in: cluster.location.data) == nil)
        }
    }

    @Test func whatWasWrittenIsThereAfterARestart() async throws {
        try await TemporaryHome.with { home in
            let first = try await Cluster.open(home: home, logger: logger)
            _ = try await ask(first, "create table kept as select 42 as answer", user: Cluster.superuser)
            try await first.close()
            let second = try await Cluster.open(home: home, logger: logger)
            #expect(second.isOurs)
            #expect(try await ask(second, "select answer from kept", user: Cluster.superuser) == "42")
            try await second.close()
        }
    }

    @Test func aRunningClusterIsAdoptedAndLeftRunning() async throws {
        try await TemporaryHome.with { home in
            let first = try await Cluster.open(home: home, logger: logger)
            let second = try await Cluster.open(home: home, logger: logger)
            #expect(!second.isOurs)
            #expect(second.postmaster == first.postmaster)
            try await second.close()
            #expect(try await ask(first, "select 1") == "1")
            try await first.close()
            #expect(Postmaster.running(in: first.location.data) == nil)
        }
    }

    @Test func itRunsOnForWhoStillUsesIt() async throws {
        try await TemporaryHome.with { home in
            let starter = try await Cluster.open(home: home, logger: logger)
            let user = try await Cluster.open(home: home, logger: logger)
            try await starter.close()
            #expect(try await ask(user, "select 1") == "1")
            try await user.close()
            #expect(Postmaster.running(in: user.location.data) != nil, "only who started it stops it")
        }
    }

    @Test func twoThatStartAtOnceShareOneCluster() async throws {
        try await TemporaryHome.with { home in
            async let one = Cluster.open(home: home, logger: logger)
            async let other = Cluster.open(home: home, logger: logger)
            let clusters = try await [one, other]
            #expect(clusters.count { $0.isOurs } == 1)
            #expect(clusters[0].postmaster == clusters[1].postmaster)
            for cluster in clusters.sorted(by: { !$0.isOurs && $1.isOurs }) { try await cluster.close() }
            #expect(Postmaster.running(in: clusters[0].location.data) == nil)
        }
    }

    @Test func aKilledPostmasterIsReplaced() async throws {
        try await TemporaryHome.with { home in
            let killed = try await Cluster.open(home: home, logger: logger)
            _ = try await ask(killed, "create table kept as select 42 as answer", user: Cluster.superuser)
            try #require(kill(killed.postmaster.process, SIGKILL) == 0)
            try await eventually("the end of the killed postmaster") {
                Postmaster.running(in: killed.location.data) == nil
            }
            let next = try await Cluster.open(home: home, logger: logger)
            #expect(next.isOurs)
            #expect(next.postmaster.process != killed.postmaster.process)
            #expect(try await ask(next, "select answer from kept", user: Cluster.superuser) == "42")
            // The process that started the killed one still holds its share.
            try await killed.close()
            try await next.close()
        }
    }

    /// After a restart of the machine the recorded id may be anybody's: here it is this test's own.
    @Test func aPidFileThatNamesAnotherProgramIsStale() async throws {
        try await TemporaryHome.with { home in
            let first = try await Cluster.open(home: home, logger: logger)
            let file = Postmaster.pidFile(first.location.data)
            let text = try String(contentsOfFile: file.string, encoding: .utf8)
            try await first.close()
            let stale = "\(getpid())" + text.drop { $0.isNumber }
            try stale.write(toFile: file.string, atomically: false, encoding: .utf8)
            if OperatingSystemUser.current.isRoot {
                chown(file.string, first.location.owner.id, first.location.owner.group)
            }
            let second = try await Cluster.open(home: home, logger: logger)
            #expect(second.isOurs)
            try await second.close()
        }
    }

    @Test func aLongPathGetsItsSocketElsewhere() async throws {
        try await TemporaryHome.with(String(repeating: "long-", count: 20)) { home in
            let cluster = try await Cluster.open(home: home, logger: logger)
            let socket = cluster.postmaster.socketDirectory
            #expect(socket.string.hasPrefix("/tmp/tertulia-"))
            #expect(Directory(at: socket)?.isPrivate(to: cluster.location.owner) == true)
            #expect(try await ask(cluster, "select 1") == "1")
            try await cluster.close()
            #expect(Directory(at: socket) == nil)
        }
    }

    @Test func aPathWithAnApostropheWorks() async throws {
        try await TemporaryHome.with("o'neil & söhne") { home in
            let cluster = try await Cluster.open(home: home, logger: logger)
            #expect(try await ask(cluster, "select 1") == "1")
            try await cluster.close()
        }
    }

    @Test func anInterruptedCreationBeginsAnew() async throws {
        try await TemporaryHome.with { home in
            let location = try await ClusterLocation.resolve(home: home, logger: logger)
            let draft = location.root.appending("data.new")
            try FileManager.default.createDirectory(atPath: draft.string, withIntermediateDirectories: true)
            try "15".write(toFile: draft.appending("PG_VERSION").string, atomically: false, encoding: .utf8)
            let cluster = try await Cluster.open(home: home, logger: logger)
            #expect(try await ask(cluster, "select 1") == "1")
            try await cluster.close()
        }
    }

    @Test func aVersionThatIsNotInstalledIsNamed() async throws {
        try await TemporaryHome.with { home in
            let location = try await ClusterLocation.resolve(home: home, logger: logger)
            try FileManager.default.createDirectory(atPath: location.data.string, withIntermediateDirectories: true)
            try "8\n".write(toFile: location.data.appending("PG_VERSION").string, atomically: false, encoding: .utf8)
            await #expect(throws: ClusterError.noInstallation(needed: 8)) {
                try await Cluster.open(home: home, logger: logger)
            }
        }
    }

    @Test func aStartThatFailsSaysWhatTheLogSays() async throws {
        try await TemporaryHome.with { home in
            let cluster = try await Cluster.open(home: home, logger: logger)
            try await cluster.close()
            let file = cluster.location.data.appending("postgresql.conf").string
            let settings = try String(contentsOfFile: file, encoding: .utf8)
            try (settings + "\nwork_mem = 'plenty'\n").write(toFile: file, atomically: false, encoding: .utf8)
            let error = try #require(
                await #expect(throws: ClusterError.self) { try await Cluster.open(home: home, logger: logger) })
            #expect(error.description.contains("invalid value for parameter \"work_mem\""))
        }
    }
}

/// PostgreSQL refuses root; these cases exist only for root.
@Suite(.enabled(if: OperatingSystemUser.current.isRoot)) struct ClusterOwnerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func rootHandsTheClusterToPostgres() async throws {
        let home = FilePath("/tmp/tertulia-owner-\(getpid())")
        defer { try? FileManager.default.removeItem(atPath: home.string) }
        let location = try await ClusterLocation.resolve(home: home, logger: logger)
        #expect(location.owner.name == "postgres")
        #expect(location.root == home.appending("postgres"))
        #expect(Directory(at: location.root)?.isPrivate(to: location.owner) == true)
    }

    @Test func aHomeThatPostgresCannotEnterIsLeft() async throws {
        let closed = FilePath("/tmp/tertulia-closed-\(getpid())")
        let fallback = FilePath("/tmp/tertulia-fallback-\(getpid())")
        defer { for path in [closed, fallback] { try? FileManager.default.removeItem(atPath: path.string) } }
        try #require(mkdir(closed.string, 0o700) == 0)
        let home = closed.appending("home")
        let location = try await ClusterLocation.resolve(home: home, fallback: fallback, logger: logger)
        #expect(location.root == fallback.appending(home.components).appending("postgres"))
        let cluster = try await Cluster.open(location, logger: logger)
        #expect(cluster.isOurs)
        try await cluster.close()
    }

    @Test func aClusterStaysWithWhoMadeIt() async throws {
        let home = FilePath("/tmp/tertulia-nobody-\(getpid())")
        defer { try? FileManager.default.removeItem(atPath: home.string) }
        let nobody = try #require(OperatingSystemUser(name: "nobody"))
        let root = home.appending("postgres")
        try Directory.make(root, mode: 0o700, owner: nobody, parents: 0o755)
        let cluster = try await Cluster.open(home: home, logger: logger)
        #expect(cluster.location.owner == nobody)
        #expect(Directory(at: cluster.location.data)?.owner == nobody.id)
        try await cluster.close()
    }
}
