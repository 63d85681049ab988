import Auth
import Cryptography
import Foundation
import GraphQL
import Logging
import Migrations
import Postgres
import Synchronization
import TestPostgres

@testable import App

/// A migrated database with the people and things of `world.sql`, and the domain on it.
struct World: Sendable {
    let environment: Environment
    let url: String
    let statements: StatementRecorder
    let place: WorldPlace

    /// A database of its own for each world, copied from one that is made once.
    ///
    /// - Parameter writers: how many connections write at once; each is a process to start.
    static func make(
        from template: WorldTemplate = .small, writers: Int = 2, _ configure: (inout AccountLimits) -> Void = { _ in }
    ) async throws -> World {
        await WorldGate.shared.enter()
        let url: String
        do {
            url = try await TestPostgres.shared.database(copying: template.name())
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
        let environment = Environment(
            pools: Self.pools(url, writers: writers, statements),
            tokens: tokens, secrets: keys.secrets, passwords: PasswordHasher(parameters: WorldTemplate.hashing),
            limits: limits, publicURL: "http://localhost:8080", logger: Self.logger)
        let world = World(
            environment: environment, url: url, statements: statements, place: WorldPlace(environment.pools))
        try await RevocationPoller(environment).poll()
        return world
    }

    /// Refusals are what many tests provoke: only what no test expects is worth a line.
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
        configuration.deadline = .seconds(20)
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
        if text.contains("otification") { try await tell() }
        return String(decoding: try await Self.respond(text, variables, context).body, as: UTF8.self)
    }

    static let schema = Result { try Domain.executableSchema() }

    private static func respond(
        _ text: String, _ variables: InputObject, _ context: RequestContext
    ) async throws -> Response {
        let schema = try schema.get()
        do {
            let document = try parse(Source(text))
            let errors = validate(document, against: schema.schema)
            guard errors.isEmpty else { return Response(RequestError(errors)) }
            let prepared = try PreparedOperation(document, operationName: nil, schema: schema)
            let coerced = try coerceVariableValues(
                schema.schema, prepared.operation.variableDefinitions, variables, source: document.source)
            return try await GraphQL.execute(
                prepared.plan(for: prepared.mask(for: coerced)), variables: coerced, context: context)
        } catch let error as GraphQLError {
            return Response(RequestError([error]))
        } catch let error as RequestError {
            return Response(error)
        }
    }

    /// A superuser's view of the database: tests read the truth behind the policies.
    func rows<S: Statement>(_ statement: S) async throws -> [S.Output] {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        try await Self.tell(connection)
        let rows = try await connection.run(statement)
        await connection.close()
        return rows
    }

    /// As it was made, which takes less time than to make another.
    func reset() async throws {
        try await execute(
            script: """
                do $$
                begin
                  execute (select 'truncate ' || string_agg(oid::regclass::text, ', ') from pg_class
                    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
                    and relname not in ('schema_migrations', 'thought_ranks_position', 'news_position',
                      'change_log_epoch'));
                end
                $$;
                \(try await WorldTemplate.script())
                """)
        try await rank()
        try await tell()
    }

    /// The orders by likes, comments and ratings, as they are a moment after what was done.
    func rank() async throws { try await ThoughtRanks(environment).refresh(lease: 0) }

    /// The notifications of what was done, which are there a moment after it.
    func tell() async throws {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        try await Self.tell(connection)
        await connection.close()
    }

    static func tell(_ connection: DedicatedConnection) async throws {
        var isLeft = true
        while isLeft {
            let told = try await connection.run(TellNews(batch: 500))
            // None were told while a running server tells them, or an older transaction runs.
            let isLate = try await connection.execute(
                """
                select exists (select from news) or exists (select from change_log c, news_position p \
                where (c.xid, c.id) > (p.xid, p.id) and c.counted is distinct from null)
                """)[0].bool(0)
            isLeft = told != [0] || isLate
            if told == [0], isLate { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    func execute(script: String) async throws {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(url))
        try await connection.execute(script: script)
        await connection.close()
    }
}

/// Who asks.
enum Person: String, CaseIterable {
    case ana, ben
    /// A moderator.
    case mod
    /// An anonymous account.
    case zoe
    /// Signed out.
    case nobody

    var viewer: RequestContext.Viewer? {
        let low: UInt64? =
            switch self {
            case .ana: 0xA
            case .ben: 0xB
            case .mod: 0xC
            case .zoe: 0xD
            case .nobody: nil
            }
        return low.map {
            RequestContext.Viewer(
                userID: UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0000 | $0),
                sessionID: UUID(high: 0x019b_7600_0000_7000, low: 0x8000_0000_0000_0100 | $0))
        }
    }
}

/// Every statement that a world's pools sent, as text with places for values.
final class StatementRecorder: Sendable {
    private let recorded = Mutex<[SegmentStarted]>([])

    func record(_ segment: SegmentStarted) { recorded.withLock { $0.append(segment) } }

    /// What was recorded since the last call.
    func take() -> [SegmentStarted] {
        recorded.withLock { recorded in
            defer { recorded = [] }
            return recorded
        }
    }
}
