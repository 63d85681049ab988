import Auth
import Cryptography
import Foundation
import GraphQL
import Logging
import Postgres
import TestPostgres

@testable import App

/// A migrated database with the people and things of `world.sql`, and the domain on it.
struct World: Sendable {
    let environment: Environment
    let database: WorldDatabase
    let statements: StatementRecorder
    let place: WorldPlace

    var url: String { database.url }

    /// A database of its own for each world, copied from one that is made once.
    ///
    /// - Parameter writers: how many connections write at once; each is a process to start.
    static func make(
        from template: WorldTemplate = .small, writers: Int = 2, _ configure: (inout AccountLimits) -> Void = { _ in }
    ) async throws -> World {
        await WorldGate.shared.enter()
        let copy: TestDatabase
        do {
            copy = try await TestPostgres.shared.database(copying: template.name())
        } catch {
            await WorldGate.shared.leave()
            throw error
        }
        let statements = StatementRecorder()
        var limits = AccountLimits()
        limits.writes.quota = 0
        limits.signUps.quota = 0
        limits.messages.quota = 0
        limits.uploads.quota = 0
        limits.signIns.quota = 0
        limits.anonymousAccounts.quota = 0
        configure(&limits)
        let keys = SigningKeys.generate(now: Timestamp.now().unixMilliseconds / 1000)
        let tokens = AccessTokens(keys: keys, issuer: "http://localhost:8080", audience: "http://localhost:8080")
        let passwords = PasswordHasher(
            parameters: WorldTemplate.hashing, queueLimit: 200, maximumWait: Self.longestWait)
        let environment = Environment(
            pools: Self.pools(copy.url, writers: writers, statements),
            tokens: tokens, secrets: keys.secrets, passwords: passwords,
            limits: limits, publicURL: "http://localhost:8080", logger: Self.logger)
        let database = WorldDatabase(copy)
        let world = World(
            environment: environment, database: database, statements: statements,
            place: WorldPlace(environment.pools, database))
        try await RevocationPoller(environment).poll()
        return world
    }

    /// A busy machine takes long to connect, to answer and to hash. A test of a limit sets that limit itself.
    private static let longestWait = Duration.seconds(600)

    /// Logs errors alone, because many tests provoke refusals.
    private static let logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .error
        return logger
    }()

    /// Another server of the same database, with connections of its own, which are the caller's to shut down.
    func anotherServer(writers: Int = 4) -> World {
        with { $0.pools = Self.pools(url, writers: writers, statements) }
    }

    private static func pools(_ url: String, writers: Int, _ statements: StatementRecorder) -> Pools {
        Pools(
            read: pool("read", url, "tertulia_server", connections: 2, inFlight: 64, statements),
            write: pool("write", url, "tertulia_server", connections: writers, inFlight: 1, statements),
            slow: pool(
                "slow", url, "tertulia_server", connections: 1, inFlight: 1, statements,
                parameters: Pools.slowSessionParameters),
            worker: pool("worker", url, "tertulia_worker", connections: writers / 2, inFlight: 1, statements))
    }

    private static func pool(
        _ name: String, _ url: String, _ role: String, connections: Int, inFlight: Int,
        _ statements: StatementRecorder, parameters: [(name: String, value: String)] = Pools.sessionParameters
    ) -> Pool {
        var connection = ConnectionConfiguration(url, role: role)
        connection.parameters = parameters
        var configuration = PoolConfiguration(
            connection, name: name, connections: connections, maxInFlight: inFlight)
        (configuration.deadline, configuration.patience) = (longestWait, longestWait)
        configuration.observer = { statements.record($0) }
        return Pool(configuration)
    }

    func shutdown() async { await place.leave() }

    func context(as person: Person) -> RequestContext {
        RequestContext(environment: environment, viewer: person.viewer, userAgent: "tests", address: nil)
    }

    /// Runs an operation as a client would, from its text to the response's bytes.
    func run(_ text: String, _ variables: InputObject = InputObject(), as person: Person) async throws -> String {
        try await run(text, variables, context(as: person))
    }

    func run(_ text: String, _ variables: InputObject = InputObject(), _ context: RequestContext) async throws -> String
    {
        String(decoding: try await OperationRunner.respond(text, variables, context).body, as: UTF8.self)
    }

    /// What a superuser reads, past the policies, once the notification worker has caught up.
    func rows<S: Statement>(_ statement: S) async throws -> [S.Output] {
        try await writeNotifications()
        return try await database.use { try await $0.run(statement) }
    }

    /// Runs statements as a superuser.
    func execute(script: String) async throws { try await database.use { try await $0.execute(script: script) } }

    /// Restores the content of a new world, which takes less time than making another.
    func reset() async throws {
        try await database.empty()
        try await execute(script: try await WorldTemplate.script())
        try await rank()
        try await writeNotifications()
    }

    /// Brings the orders by likes, comments and ratings up to date, which a server does within a moment.
    func rank() async throws { try await ThoughtRanks(environment).refresh(lease: 0) }

    /// Writes the notifications of all that was done, as the notification worker of a server does within a moment.
    func writeNotifications() async throws { try await database.use { try await WorldDatabase.tell($0) } }
}
