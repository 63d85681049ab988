import Postgres
import Synchronization
import Testing

@testable import App

/// A device does not ring for what its own session has proven that it has, whichever replica sends.
@Suite struct PushReceiptTests {
    private static let phone = worldUUID(0x902)

    /// Ana's laptop is in the session of her context, her phone in another.
    private static func make() async throws -> World {
        let world = try await World.make(writers: 4)
        let session = try #require(Person.ana.viewer?.sessionID)
        try await world.execute(
            script: """
                update push_devices set session_id = '\(session)';
                insert into sessions (id, user_id, family, current_hash)
                values ('\(worldUUID(0x1F1))', '\(worldUUID(0xA))', '\\x01', '\\x01');
                insert into push_devices (id, user_id, transport, address, topic, session_id)
                values ('\(phone)', '\(worldUUID(0xA))', 'APNS', '\(String(repeating: "cd", count: 32))', 'dev.tertulia',
                  '\(worldUUID(0x1F1))');
                """)
        return world
    }

    /// How many messages are due on another server, and the devices that it rings, by the first digits of their tokens.
    private func ring(_ world: World, hold: Duration = .zero) async throws -> String {
        let rung = Mutex<[String]>([])
        let server = world.anotherServer()
        let queue = PushQueue(server.environment, hold: hold) { message in
            if case .apns(let token, _, _) = message.target { rung.withLock { $0.append(String(token.prefix(2))) } }
            return .sent
        }
        let due = try await queue.dealWithDue().due
        await server.environment.pools.shutdown()
        return "\(due): " + rung.withLock { $0.sorted().joined(separator: " ") }
    }

    private func mutate(_ field: String, _ world: World, as person: Person = .ben) async throws {
        let answer = try await world.ask("mutation { \(field) { userErrors { code } } }", as: person)
        #expect(answer.isData, "\(answer.text)")
    }

    private let comment = "addComment(input: {subjectId: \"\(worldID(.thought, 0x203))\", text: \"x\"})"
    private let message =
        "sendMessage(input: {conversationId: \"\(worldID(.conversation, 0x601))\", text: \"x\"})"

    /// That ana's session has proven the newest change of this kind of object.
    private func prove(_ type: String, _ world: World) async throws {
        let change = try await world.rows(NewestChange(type: type))[0]
        let session = try #require(Person.ana.viewer?.sessionID)
        world.environment.pushReceipts.note(
            session: session, object: change.object, transaction: change.transaction)
        await PushReceiptWriter(world.environment).flush()
    }

    private struct MessageID: Statement {
        let text: String

        var sql: SQL { "select id from messages where text = \(text)" }

        func decode(_ row: Row) -> UUID { row.uuid(0) }
    }

    private struct NewestChange: Statement {
        let type: String

        var sql: SQL {
            "select object_id, xid::text::bigint from change_log where type = \(type) order by xid desc, id desc limit 1"
        }

        func decode(_ row: Row) -> (object: UUID, transaction: Int64) { (row.uuid(0), row.int64(1)) }
    }

    @Test func nothingRingsWhileItIsHeld() async throws {
        let world = try await Self.make()
        try await mutate(comment, world)
        try await world.writeNotifications()
        #expect(try await ring(world, hold: .seconds(3600)) == "0: ")
        #expect(try await ring(world) == "2: ab cd")
        #expect(try await world.number("select count(*) from push_queue") == 0)
        await world.shutdown()
    }

    @Test func theSessionsOwnDeviceIsSilentAndTheOtherRings() async throws {
        let world = try await Self.make()
        try await mutate(comment, world)
        try await world.writeNotifications()
        try await prove("notification", world)
        #expect(try await ring(world) == "2: cd")
        // What came after the proof rings again.
        try await mutate(comment, world)
        try await world.writeNotifications()
        #expect(try await ring(world) == "2: ab cd")
        await world.shutdown()
    }

    @Test func aNewerChangeThatWaitsWithAnOlderOneRings() async throws {
        let world = try await Self.make()
        try await mutate(comment, world)
        try await world.writeNotifications()
        try await prove("notification", world)
        try await mutate(comment, world)
        try await world.writeNotifications()
        #expect(try await ring(world) == "2: ab cd")
        await world.shutdown()
    }

    /// A message is proven before anybody is told of it.
    @Test func aMessagesProofComesBeforeItsNotification() async throws {
        let world = try await Self.make()
        try await mutate(message, world)
        let session = try #require(Person.ana.viewer?.sessionID)
        let id = try await world.environment.pools.worker.run(MessageID(text: "x"))[0]
        world.environment.pushReceipts.note(session: session, object: id, transaction: 1)
        await PushReceiptWriter(world.environment).flush()
        try await world.writeNotifications()
        #expect(try await ring(world) == "2: cd")
        try await mutate(message, world)
        try await world.writeNotifications()
        #expect(try await ring(world) == "2: ab cd")
        await world.shutdown()
    }

    /// Who wrote it has it anyway, and nothing of what was written before.
    @Test func onesOwnMessageProvesNothing() async throws {
        let world = try await Self.make()
        try await mutate(message, world)
        try await mutate(message.replacing("\"x\"", with: "\"own\""), world, as: .ana)
        let session = try #require(Person.ana.viewer?.sessionID)
        let id = try await world.environment.pools.worker.run(MessageID(text: "own"))[0]
        world.environment.pushReceipts.note(session: session, object: id, transaction: 1)
        await PushReceiptWriter(world.environment).flush()
        try await world.writeNotifications()
        #expect(try await ring(world) == "2: ab cd")
        await world.shutdown()
    }

    @Test func whatWasReadRingsNowhere() async throws {
        let world = try await Self.make()
        try await mutate(comment, world)
        try await world.writeNotifications()
        try await mutate("markAllNotificationsRead(input: {})", world, as: .ana)
        #expect(try await ring(world) == "2: ")
        #expect(try await world.number("select count(*) from push_queue") == 0)
        await world.shutdown()
    }

    /// What came while a message was on its way is not lost with it.
    @Test func whatIsToldWhileItIsSentStaysQueued() async throws {
        let world = try await Self.make()
        try await world.execute(script: "delete from push_devices where id = '\(Self.phone)'")
        try await mutate(comment, world)
        try await world.writeNotifications()
        let queue = PushQueue(world.environment, hold: .zero) { _ in
            _ = try? await world.ask("mutation { \(comment) { userErrors { code } } }", as: .ben)
            try? await world.writeNotifications()
            return .sent
        }
        #expect(try await queue.dealWithDue().taken == 1)
        #expect(try await world.number("select count(*) from push_queue") == 1)
        await world.shutdown()
    }

    /// A batch that nobody needs does not hold up the rest until the next second.
    @Test func whatIsDroppedCountsAsDealtWith() async throws {
        let world = try await Self.make()
        let person = try #require(Person.ana.viewer?.userID)
        try await world.execute(
            script: """
                insert into notifications (id, user_id, kind, subject_type, subject_id, actors, text, read_at)
                select uuid_v7(), '\(person)', 'LIKE', 'thought', uuid_v7(), '{}', 'x', now() from generate_series(1, 60);
                insert into push_queue (device_id, notification_id)
                select '\(Self.phone)', id from notifications where text = 'x';
                """)
        #expect(try await ring(world) == "\(PushQueue.batchSize): ")
        #expect(try await ring(world) == "10: ")
        await world.shutdown()
    }

    /// A device that was registered is in the session of the request.
    @Test func registeringNamesTheSession() async throws {
        let world = try await World.make()
        let token = String(repeating: "ef", count: 32)
        let target = "target: {apns: {deviceToken: \"\(token)\", topic: \"dev.tertulia\"}}"
        try await mutate("registerPushDevice(input: {\(target)})", world, as: .ben)
        let session = try #require(Person.ben.viewer?.sessionID)
        let devices: SQL = "select count(*) from push_devices where address = \(token) and session_id = \(session)"
        #expect(try await world.number(devices) == 1)
        await world.shutdown()
    }
}
