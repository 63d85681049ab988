import ArgumentParser
import Migrations
import Postgres
import Testing

@testable import tertulia

@Suite struct PromoteTests {
    private func role(_ connection: DedicatedConnection) async throws -> String {
        try await connection.one("select role from users where username = 'ana'") { $0.string(0) }
    }

    @Test func givesAnAccountARole() async throws {
        try await TemporaryHome.with { home in
            let logger = MigratedDatabase.logger
            let cluster = try await Cluster.open(home: home, logger: logger)
            let connection = try await DedicatedConnection.open(
                ConnectionConfiguration(cluster.url(user: Cluster.superuser)))
            try await Migrator(Migration.all, connection: connection, logger: logger).migrate()
            try await connection.execute(
                "insert into users (id, username, display_name) values (gen_random_uuid(), 'ana', 'Ana')")
            for (name, stored) in [("moderator", "MODERATOR"), ("ADMIN", "ADMIN"), ("member", "MEMBER")] {
                try await Promote.parse(["Ana", "--role", name, "--home", home.string]).run()
                #expect(try await role(connection) == stored)
            }
            await #expect(throws: CommandFailure("Nobody has the username eve.")) {
                try await Promote.parse(["eve", "--role", "admin", "--home", home.string]).run()
            }
            await connection.close()
            try await cluster.close()
        }
    }

    @Test func knowsThreeRoles() {
        #expect(throws: (any Error).self) { try Promote.parse(["ana", "--role", "king"]) }
        #expect(throws: (any Error).self) { try Promote.parse(["ana"]) }
    }
}
