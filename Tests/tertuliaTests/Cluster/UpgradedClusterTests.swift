import App
import Glibc
import GraphQLTransport
import Logging
import Postgres
import SystemPackage
import TestSupport
import Testing

@testable import tertulia

/// PostgreSQL's package is upgraded under a private cluster that runs.
@Suite struct UpgradedClusterTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func with(_ body: (Cluster, DedicatedConnection, UpgradedPrograms) async throws -> Void) async throws {
        try await TemporaryHome.with("home") { home in
            let programs = try await UpgradedPrograms(in: home.removingLastComponent())
            let location = try await ClusterLocation.resolve(home: home, logger: logger)
            let cluster = try await Cluster.open(location, installation: programs.installation, logger: logger)
            let connection = try await DedicatedConnection.open(
                ConnectionConfiguration(cluster.url(user: Cluster.superuser)))
            try await Migrator(Migration.all, connection: connection, logger: logger).migrate()
            try await body(cluster, connection, programs)
            await connection.close()
            try await cluster.close()
        }
    }

    private func database(_ cluster: Cluster) -> Database {
        Database(url: cluster.url(), administrationURL: cluster.url(user: Cluster.superuser), cluster: cluster)
    }

    private func newSession(_ cluster: Cluster) async throws -> DedicatedConnection {
        try await DedicatedConnection.open(ConnectionConfiguration(cluster.url(user: Cluster.superuser)))
    }

    @Test func newSessionsFailAndDoctorSaysWhy() async throws {
        try await with { cluster, old, programs in
            var probing = ServerPools.probing(cluster.url(), logger: logger)
            probing.statementTimeout = .seconds(600)
            let probe = DatabaseProbe(probing)
            #expect(await probe.ask() == .writes)
            try programs.upgrade()
            #expect(await probe.ask() == .cannotLoadLibraries)
            // What the sessions of a pool have loaded serves them on.
            try await old.execute(script: "do $$ begin end $$")

            let session = try await newSession(cluster)
            let findings = try await DatabaseChecks(
                connection: session, loginRole: "tertulia", installation: programs.installation
            ).findings()
            let finding = try #require(findings.first { $0.subject == "PL/pgSQL" })
            #expect(finding.verdict == .problem)
            #expect(finding.remedy?.hasPrefix("restart PostgreSQL") == true)
            await session.close()
        }
    }

    @Test func thePrivateClusterIsRestartedAndNothingIsLost() async throws {
        try await with { cluster, old, programs in
            let user = "insert into users (id, username, display_name) values"
            try await old.execute(
                script: "\(user) ('019b7600-0000-7000-8000-00000000000a', 'ana', 'Ana')")
            let watch = DatabaseWatch(
                database(cluster), columnFaults: ColumnFaults(), clock: ClockWatch(logger: logger), logger: logger)
            let watching = Task { await watch.run() }
            try programs.upgrade()
            try await eventually("another postmaster") {
                Postmaster.running(in: cluster.location.data)?.process != cluster.postmaster.process
            }
            await watch.settled()
            watching.cancel()
            await watching.value
            await watch.askOnce()
            #expect(await watch.readiness(isReached: true) == .ready)

            let session = try await newSession(cluster)
            try await session.execute(
                script: "\(user) ('019b7600-0000-7000-8000-00000000000b', 'ben', 'Ben')")
            let names = try await session.execute("select username from users order by username")
            #expect(try names.decoded { $0.string(0) } == ["ana", "ben"])
            await session.close()
        }
    }

    @Test func whatAnotherProcessHasRestartedStays() async throws {
        try await with { cluster, _, programs in
            try programs.upgrade()
            try await cluster.restart(cluster.postmaster)
            let restarted = try #require(Postmaster.running(in: cluster.location.data))
            #expect(restarted.process != cluster.postmaster.process)
            #expect(restarted.socketDirectory == cluster.postmaster.socketDirectory)
            try await cluster.restart(cluster.postmaster)
            #expect(Postmaster.running(in: cluster.location.data) == restarted)
        }
    }
}
