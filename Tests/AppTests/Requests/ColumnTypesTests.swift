import Postgres
import Testing

@testable import App

/// A column of another type than this release reads is an error, never a zero.
@Suite struct ColumnTypesTests {
    private static let role = "tertulia_server"

    /// The probe describes the statements of all types of objects, without any request.
    @Test func theProbeFindsItAndItsEnd() async throws {
        let world = try await World.make()
        let time = StoppedClock()
        let probe = DatabaseProbe(ConnectionConfiguration(world.url, role: Self.role), now: { time.now })
        #expect(await probe.ask() == .writes)
        let changes = [
            ("users", "created_at", "timestamp", "timestamptz", "UsersByID"),
            ("sessions", "user_agent", "bytea using null", "text using null", "OwnSessions"),
            ("thoughts", "share_count", "bigint", "integer", "ThoughtsByID"),
            ("comments", "edited_at", "timestamp", "timestamptz", "CommentsByID"),
            ("events", "created_at", "timestamp", "timestamptz", "EventsByID"),
            ("images", "width", "bigint", "integer", "ImageNodes"),
            ("conversations", "created_at", "timestamp", "timestamptz", "ConversationsByID"),
            ("messages", "edited_at", "timestamp", "timestamptz", "MessagesByID"),
            ("notifications", "read_at", "timestamp", "timestamptz", "NotificationsByID"),
            ("push_devices", "created_at", "timestamp", "timestamptz", "OwnPushDevices"),
            ("reports", "note", "bytea using null", "text using null", "ReportsByID"),
        ]
        for (table, column, type, before, statement) in changes {
            try await world.execute(script: "alter table \(table) alter \(column) type \(type)")
            // Until a minute has passed, a request alone finds it.
            #expect(await probe.ask() == .writes)
            time.advance(by: 60_000)
            let answer = await probe.ask()
            guard case .hasOtherColumns(let reason) = answer else {
                Issue.record("\(table).\(column): \(answer)")
                continue
            }
            #expect(reason.hasPrefix("\(statement) reads the column \(column) as "))
            try await world.execute(script: "alter table \(table) alter \(column) type \(before)")
            #expect(await probe.ask() == .writes)
        }
        await world.shutdown()
    }

    @Test func aMissingColumnIsToldToo() async throws {
        let world = try await World.make()
        let probe = DatabaseProbe(ConnectionConfiguration(world.url, role: Self.role))
        try await world.execute(script: "alter table thoughts rename share_count to shares")
        for _ in 0..<2 {
            guard case .hasOtherColumns(let reason) = await probe.ask() else {
                Issue.record("The probe did not find it.")
                break
            }
            #expect(reason == "ThoughtsByID cannot be prepared: 42703: column t.share_count does not exist")
        }
        try await world.execute(script: "alter table thoughts rename shares to share_count")
        #expect(await probe.ask() == .writes)
        await world.shutdown()
    }

    /// The end of one fault is no reason to forget the others.
    @Test func severalColumnsAreMendedOneByOne() async throws {
        let world = try await World.make()
        let faults = ColumnFaults()
        let probe = DatabaseProbe(ConnectionConfiguration(world.url, role: Self.role), columnFaults: faults)
        try await world.execute(
            script: """
                alter table thoughts alter share_count type bigint;
                alter table users alter created_at type timestamp
                """)
        guard case .hasOtherColumns(let users) = await probe.ask() else {
            Issue.record("The probe did not find it.")
            return await world.shutdown()
        }
        #expect(users.contains("created_at"))
        try await world.execute(script: "alter table users alter created_at type timestamptz")
        let share = "reads the column share_count as integer, but it is bigint"
        #expect(await probe.ask() == .hasOtherColumns(reason: "ThoughtsByID \(share)"))
        try await world.execute(script: "alter table thoughts alter share_count type integer")
        #expect(await probe.ask() == .writes)
        #expect(faults.first == nil)
        await world.shutdown()
    }

    /// A migration may hold a table's lock for longer than a probe waits.
    @Test func aLockedTableIsNoFault() async throws {
        let world = try await World.make()
        var connection = ConnectionConfiguration(world.url, role: Self.role)
        connection.statementTimeout = .milliseconds(50)
        let probe = DatabaseProbe(connection)
        let owner = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await owner.execute(script: "begin; lock table thoughts in access exclusive mode")
        #expect(await probe.ask() == .writes)
        try await owner.execute(script: "alter table thoughts alter share_count type bigint; commit")
        await owner.close()
        // The next probe compares what this one could not.
        connection.statementTimeout = nil
        guard case .hasOtherColumns = await probe.ask() else {
            Issue.record("The description was not repeated.")
            return await world.shutdown()
        }
        await world.shutdown()
    }

    private static let requests = [
        "{ thoughts(first: 2) { nodes { shareCount } } }",
        "{ thoughts(first: 2, order: MOST_LIKED) { nodes { text author { username } } } }",
        "{ feed(first: 2) { nodes { ... on Thought { id } } } }",
        "{ viewer { thoughts(first: 2) { nodes { shareCount } } likedThoughts(first: 2) { nodes { likeCount } } } }",
    ]

    /// A request that reads the column gets an error, and the log has the statement, the column and the types. A thought is an
    /// object that reads its columns after the decoding.
    @Test func requestsGetAnErrorAndTheLogSaysWhy() async throws {
        let world = try await World.make()
        for request in Self.requests {
            let answer = try await world.run(request, as: .ana)
            #expect(!answer.contains("errors"), "\(answer)")
        }
        try await world.execute(script: "alter table thoughts alter share_count type bigint")
        let lines = LogRecorder()
        let logging = world.with { $0.logger = lines.logger }
        for request in Self.requests {
            let answer = try await logging.run(request, as: .ana)
            #expect(answer.contains(#""code":"INTERNAL_SERVER_ERROR""#) && answer.contains("errorId"), "\(answer)")
            #expect(!answer.contains(#""shareCount":"#) && !answer.contains("share_count"), "\(answer)")
        }
        let logged = lines.all.compactMap { $0["error"].map { "\($0)" } }
        #expect(logged.count >= Self.requests.count)
        for line in logged { #expect(line.hasSuffix(" reads the column share_count as integer, but it is bigint")) }
        let statements = Set(logged.compactMap { $0.split(separator: " ").first })
        #expect(statements.isSuperset(of: ["PublishedThoughts", "OwnThoughts"]), "\(logged)")

        // What does not read the column is served.
        let others = try await logging.run("{ viewer { user { username } } }", as: .ana)
        #expect(!others.contains("errors"), "\(others)")
        try await world.execute(script: "alter table thoughts alter share_count type integer")
        for request in Self.requests {
            let answer = try await world.run(request, as: .ana)
            #expect(!answer.contains("errors"), "\(answer)")
        }
        await world.shutdown()
    }

    /// The mutation has committed when its result cannot be read. Its repetition gives the object, and writes nothing.
    @Test func aMutationThatCannotBeAnsweredIsDoneOnce() async throws {
        let world = try await World.make()
        let mutation = """
            mutation { createThought(input: { clientMutationId: "once", category: FUNNY, text: "Said once." }) {
              thought { text shareCount } userErrors { code } } }
            """
        func said() async throws -> Int {
            try await world.number("select count(*) from thoughts where text = 'Said once.'")
        }
        try await world.execute(script: "alter table thoughts alter share_count type bigint")
        for _ in 0..<2 {
            let answer = try await world.run(mutation, as: .ana)
            #expect(
                answer.contains(#""code":"INTERNAL_SERVER_ERROR""#) && !answer.contains("shareCount\":"), "\(answer)")
            #expect(try await said() == 1)
        }
        try await world.execute(script: "alter table thoughts alter share_count type integer")
        let answer = try await world.run(mutation, as: .ana)
        #expect(answer.contains(#""thought":{"text":"Said once.","shareCount":0},"userErrors":[]"#), "\(answer)")
        #expect(try await said() == 1)
        await world.shutdown()
    }

    /// A schema that a newer release has extended serves this one.
    @Test func columnsThatNobodyReadsMayHaveAnyType() async throws {
        let world = try await World.make()
        let probe = DatabaseProbe(ConnectionConfiguration(world.url, role: Self.role))
        try await world.execute(
            script: """
                alter table thoughts add weight numeric not null default 0.5;
                alter table images alter mime_type type varchar(50)
                """)
        #expect(await probe.ask() == .writes)
        let answer = try await world.run("{ thoughts(first: 1) { nodes { shareCount } } }", as: .ana)
        #expect(!answer.contains("errors"), "\(answer)")
        await world.shutdown()
    }
}
