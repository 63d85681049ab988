import Postgres
import Synchronization
import TestSupport
import Testing

@testable import App

/// What is told is sent to the devices: once, after the request, and again where it could not be.
@Suite struct PushQueueTests {
    private static let queued: SQL = "select count(*) from push_queue"

    private func like(_ world: World) async throws {
        let like = "likeThought(input: {thoughtId: \"\(worldID(.thought, 0x203))\"})"
        #expect(try await world.ask("mutation { \(like) { userErrors { code } } }", as: .ben).isData)
        try await world.writeNotifications()
    }

    @Test func sendsWhatWasToldOnce() async throws {
        let world = try await World.make(writers: 4)
        try await like(world)
        let sent = Mutex<[PushMessage]>([])
        let queue = PushQueue(world.environment, hold: .zero) { message in
            sent.withLock { $0.append(message) }
            return .sent
        }
        // As replicas do.
        let taken = try await concurrently(8) { _ in try await queue.dealWithDue().taken }
        #expect(taken.reduce(0, +) == 1)
        let message = try #require(sent.withLock { $0.first })
        #expect(sent.withLock { $0.count } == 1)
        #expect(message.text == "Ben liked “Ana's third.”.")
        #expect(message.kind == "LIKE")
        #expect(message.subjectID == TypeID(.thought, worldUUID(0x203)))
        #expect(message.unreadCount == 2)
        #expect(
            message.target
                == .apns(deviceToken: String(repeating: "ab", count: 32), topic: "dev.tertulia", sandbox: false))
        #expect(try await world.number(Self.queued) == 0)
        #expect(try await queue.dealWithDue().taken == 0)
        await world.shutdown()
    }

    @Test func triesAgainLaterAndLater() async throws {
        let world = try await World.make()
        try await like(world)
        let queue = PushQueue(world.environment, hold: .zero) { _ in .failed("503") }
        func microseconds(_ time: StaticString, _ table: StaticString = "") async throws -> Int {
            try await world.number("select (extract(epoch from \(unsafe: time)) * 1000000)::bigint \(unsafe: table)")
        }
        for seconds in [30, 60, 120, 240] {
            let before = try await microseconds("clock_timestamp()")
            #expect(try await queue.dealWithDue().taken == 1)
            let after = try await microseconds("clock_timestamp()")
            let due = try await microseconds("due_at", "from push_queue")
            #expect((before...after).contains(due - 1_000_000 * seconds))
            try await world.execute(script: "update push_queue set due_at = due_at + interval '1 hour'")
            #expect(try await queue.dealWithDue().taken == 0)
            try await world.execute(script: "update push_queue set due_at = now()")
        }
        for _ in 4..<8 {
            #expect(try await queue.dealWithDue().taken == 1)
            try await world.execute(script: "update push_queue set due_at = now()")
        }
        #expect(try await world.number(Self.queued) == 0)
        await world.shutdown()
    }

    @Test func removesDevicesThatAreGone() async throws {
        let world = try await World.make()
        try await like(world)
        let queue = PushQueue(world.environment, hold: .zero) { _ in .gone }
        #expect(try await queue.dealWithDue().taken == 1)
        #expect(try await world.number(Self.queued) == 0)
        #expect(try await world.number("select count(*) from push_devices") == 0)
        await world.shutdown()
    }

    @Test func dropsWhatIsRefusedAndWhatWasRead() async throws {
        let world = try await World.make()
        try await like(world)
        let refusing = PushQueue(world.environment, hold: .zero, send: { _ in .refused("400") })
        #expect(try await refusing.dealWithDue().taken == 1)
        #expect(try await world.number(Self.queued) == 0)
        #expect(try await world.number("select count(*) from push_devices") == 1)
        let comment = "addComment(input: {subjectId: \"\(worldID(.thought, 0x203))\", text: \"x\"})"
        #expect(try await world.ask("mutation { \(comment) { userErrors { code } } }", as: .ben).isData)
        #expect(try await world.number(Self.queued) == 1)
        try await world.execute(script: "update notifications set read_at = now()")
        #expect(try await PushQueue(world.environment, hold: .zero, send: { _ in .sent }).dealWithDue().taken == 0)
        #expect(try await world.number(Self.queued) == 0)
        await world.shutdown()
    }

    /// Between the act and the message there may be minutes.
    @Test(arguments: [(0xA, 0xB), (0xB, 0xA)]) func namesNobodyWhoIsBlockedByNow(_ blocker: UInt64, _ blocked: UInt64)
        async throws
    {
        let world = try await World.make()
        let block = """
            insert into blocks (blocker_id, blocked_id) values ('\(worldUUID(blocker))', '\(worldUUID(blocked))')
            """
        let thought = worldID(.thought, 0x203)
        try await world.execute(script: "delete from notifications; delete from thought_likes")
        for person in [Person.mod, .ben] {
            let like = "likeThought(input: {thoughtId: \"\(thought)\"})"
            #expect(try await world.ask("mutation { \(like) { userErrors { code } } }", as: person).isData)
        }
        let comment = "addComment(input: {subjectId: \"\(thought)\", text: \"x\"})"
        #expect(try await world.ask("mutation { \(comment) { userErrors { code } } }", as: .ben).isData)
        try await world.writeNotifications()
        #expect(try await world.number(Self.queued) == 2)
        try await world.execute(script: block)
        let sent = Mutex<[PushMessage]>([])
        let queue = PushQueue(world.environment, hold: .zero) { message in
            sent.withLock { $0.append(message) }
            return .sent
        }
        #expect(try await queue.dealWithDue().taken == 1)
        #expect(sent.withLock { $0.map(\.text) } == ["Mod liked “Ana's third.”."])
        #expect(sent.withLock { $0.map(\.unreadCount) } == [1])
        #expect(try await world.number(Self.queued) == 0)
        await world.shutdown()
    }

    @Test func namesNobodyWhoIsGone() async throws {
        let world = try await World.make()
        try await like(world)
        try await world.execute(script: "insert into deleted_accounts (user_id) values ('\(worldUUID(0xB))')")
        #expect(try await PushQueue(world.environment, hold: .zero, send: { _ in .sent }).dealWithDue().taken == 0)
        #expect(try await world.number(Self.queued) == 0)
        await world.shutdown()
    }

    /// A message that was taken by a process that died is due again by itself.
    @Test func whatADeadProcessTookComesBack() async throws {
        let world = try await World.make()
        try await like(world)
        let stuck = Task {
            try await PushQueue(world.environment, hold: .zero) { _ in
                // Until it is cancelled.
                try? await Task.sleep(for: .seconds(86_400))
                return .failed("never")
            }.dealWithDue().taken
        }
        defer { stuck.cancel() }
        try await eventually("the message is taken") {
            try await world.number("select max(attempts) from push_queue") > 0
        }
        #expect(try await PushQueue(world.environment, hold: .zero, send: { _ in .sent }).dealWithDue().taken == 0)
        try await world.execute(script: "update push_queue set due_at = now()")
        #expect(try await PushQueue(world.environment, hold: .zero, send: { _ in .sent }).dealWithDue().taken == 1)
        #expect(try await world.number(Self.queued) == 0)
        stuck.cancel()
        _ = try? await stuck.value
        await world.shutdown()
    }

    @Test func aReactionMoreRingsNoBell() async throws {
        let world = try await World.make()
        let crowd = try await Crowd(5, in: world)
        let like = "likeThought(input: {thoughtId: \"\(worldID(.thought, 0x203))\"})"
        let queue = PushQueue(world.environment, hold: .zero) { _ in .sent }
        for number in 0..<5 {
            _ = try await crowd.ask("mutation { \(like) { userErrors { code } } }", as: number)
            try await world.writeNotifications()
            #expect(try await queue.dealWithDue().taken == (number == 0 ? 1 : 0))
        }
        await world.shutdown()
    }
}
