import GraphQL
import Postgres
import Testing

@testable import App

@Suite(.serialized) struct ActivityTests {
    private func marks(_ world: World) async throws -> [String] {
        try await world.texts(
            """
            select kind || ' ' || right(account_id::text, 1) || ' ' || extract(epoch from hour)::bigint / 3600 \
            from activity_marks where kind <> 'SIGN_UP' order by 1
            """)
    }

    private let like =
        "mutation { likeThought(input: { thoughtId: \"\(worldID(.thought, 0x202))\" }) { clientMutationId } }"
    private let comment = """
        mutation { addComment(input: { subjectId: "\(worldID(.thought, 0x202))", text: "x" }) { clientMutationId } }
        """

    /// However often, and from however many servers: an account, an hour and a kind are one row.
    @Test func marksEachAccountOnceAnHour() async throws {
        let world = try await World.make()
        let clock = StoppedClock()
        let first = world.with {
            $0.activity = ActivityMarks()
            $0.now = { clock.now }
        }
        let second = world.with {
            $0.activity = ActivityMarks()
            $0.now = { clock.now }
        }
        let hour = clock.now.unixMilliseconds / 3_600_000
        for server in [first, second, first] {
            for person in [Person.ana, .ben, .nobody] {
                _ = try await server.ask("{ feed { nodes { id } } thoughts { nodes { id } } }", as: person)
            }
        }
        #expect(first.environment.activity.unwritten == 2)
        _ = try await first.ask(comment, as: .ana)
        #expect(try await marks(world) == [])
        await ActivityRecorder(first.environment).flush()
        await ActivityRecorder(second.environment).flush()
        await ActivityRecorder(first.environment).flush()
        #expect(try await marks(world) == ["READ a \(hour)", "READ b \(hour)", "WRITE a \(hour)"])

        // A server that starts anew knows nothing of what was written before.
        let third = world.with {
            $0.activity = ActivityMarks()
            $0.now = { clock.now }
        }
        _ = try await third.ask("{ feed { nodes { id } } }", as: .ana)
        clock.advance(by: 3_600_000)
        _ = try await third.ask("{ feed { nodes { id } } }", as: .ana)
        await ActivityRecorder(third.environment).flush()
        #expect(
            try await marks(world) == ["READ a \(hour)", "READ a \(hour + 1)", "READ b \(hour)", "WRITE a \(hour)"])
        await world.shutdown()
    }

    /// A like is no authorship, and what is refused is none either.
    @Test func authorsAreThoseWhoWrite() async throws {
        let world = try await World.make()
        _ = try await world.ask(like, as: .ben)
        _ = try await world.ask(comment, as: .zoe)
        await ActivityRecorder(world.environment).flush()
        #expect(try await marks(world) == [])
        _ = try await world.ask(comment, as: .ben)
        await ActivityRecorder(world.environment).flush()
        #expect(try await marks(world).map { $0.prefix(7) } == ["WRITE b"])
        await world.shutdown()
    }

    /// Nothing of it in the request: the statements are those that they were.
    @Test func writesNothingInTheRequest() async throws {
        let world = try await World.make()
        _ = world.statements.take()
        _ = try await world.ask("{ feed { nodes { id } } }", as: .ana)
        #expect(world.statements.take().flatMap(\.sql).count == 2)
        await world.shutdown()
    }

    /// While the database is away marks are kept, and written when it is back.
    @Test func keepsWhatCouldNotBeWritten() async throws {
        let world = try await World.make()
        try await world.execute(script: "alter table activity_marks rename to away")
        _ = try await world.ask("{ feed { nodes { id } } }", as: .ana)
        await ActivityRecorder(world.environment).flush()
        #expect(world.environment.activity.unwritten == 1)
        try await world.execute(script: "alter table away rename to activity_marks")
        await ActivityRecorder(world.environment).flush()
        #expect(world.environment.activity.unwritten == 0)
        #expect(try await marks(world).count == 1)
        await world.shutdown()
    }

    /// In its own transaction, and also of an anonymous account that becomes a full one.
    @Test func signingUpIsMarked() async throws {
        let world = try await World.make()
        let signUps: SQL = "select count(*) from activity_marks where kind = 'SIGN_UP'"
        let before = try await world.number(signUps)
        let input = "username: \"carla\", email: \"carla@example.org\", password: \"a long enough phrase\""
        #expect(
            try await world.ask("mutation { signUp(input: { \(input) }) { viewer { id } } }", as: .zoe)
                .string("signUp", "viewer", "id") == worldID(.viewer, 0xD))
        #expect(try await world.number(signUps) == before + 1)
        #expect(
            try await world.number(
                "select count(*) from activity_marks where kind = 'SIGN_UP' and account_id = \(worldUUID(0xD))") == 1)
        await world.shutdown()
    }
}
