import Logging
import Postgres
import Testing

@testable import tertulia

@Suite struct DatabaseTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func aDatabaseThatComesLaterIsWaitedFor() async throws {
        try await TemporaryHome.with { home in
            let first = try await Cluster.open(home: home, logger: logger)
            try await first.close()
            let database = Database(url: first.url(), administrationURL: first.url())
            await #expect(throws: PostgresError.self) { try await database.wait(.zero, logger: logger) }
            async let waits: Void = database.wait(.seconds(600), logger: logger)
            let second = try await Cluster.open(home: home, logger: logger)
            try await waits
            try await second.close()
        }
    }
}
