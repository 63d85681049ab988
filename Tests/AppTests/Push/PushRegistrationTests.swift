import Migrations
import Postgres
import TestPostgres
import TestSupport
import Testing

@testable import App

/// A device rings for the account that registered it, as long as the registering session lives.
@Suite struct PushRegistrationTests {
    private static let token = String(repeating: "ef", count: 32)
    private static let register =
        "registerPushDevice(input: {target: {apns: {deviceToken: \"\(token)\", topic: \"dev.tertulia\"}}})"
    private static let devices: SQL = "select count(*) from push_devices"

    /// A world with no device but the one that each test registers.
    private static func make(writers: Int = 8) async throws -> World {
        let world = try await World.make(writers: writers)
        try await world.execute(script: "delete from push_devices")
        return world
    }

    private func perform(_ field: String, _ context: RequestContext, _ world: World) async throws {
        let answer = try await world.ask("mutation { \(field) { userErrors { code } } }", context)
        try #require(answer.isData, "\(field): \(answer.text)")
    }

    /// Signs ana in, by default without a session before.
    private func signIn(
        _ world: World, from context: RequestContext? = nil, isMerging: Bool = false
    ) async throws -> RequestContext {
        let merge = isMerging ? ", mergeAnonymous: true" : ""
        let answer = try await world.ask(
            "mutation { signIn(input: {login: \"ana\", password: \"correct horse battery\"\(merge)}) { accessToken } }",
            context ?? world.context(as: .nobody))
        let token = try #require(answer.string("signIn", "accessToken"), "\(answer.text)")
        return try await world.environment.authenticate(
            authorization: "Bearer \(token)", userAgent: "tests", address: nil)
    }

    /// The pushes of a comment of ben's on a thought of ana's: how many devices ring, of how many for which one is queued.
    private func ring(_ world: World) async throws -> String {
        let comment = "addComment(input: {subjectId: \"\(worldID(.thought, 0x203))\", text: \"x\"})"
        try await perform(comment, world.context(as: .ben), world)
        try await world.writeNotifications()
        let numbers = try await PushQueue(world.environment, hold: .zero) { _ in .sent }.dealWithDue()
        return "\(numbers.taken) of \(numbers.due)"
    }

    // MARK: Ends

    @Test(arguments: [("created_at = AGE, rotated_at = AGE", 30), ("created_at = AGE", 180)])
    func itEndsWithTheTimeOfItsSession(_ times: String, _ days: Int) async throws {
        let world = try await Self.make()
        let session = try await signIn(world)
        try await perform(Self.register, session, world)
        let id = try #require(session.viewer?.sessionID)
        func age(_ days: Int, _ hours: Int) async throws {
            let age = "now() - (interval '\(days) days' - interval '\(hours) hours')"
            try await world.execute(
                script: "update sessions set \(times.replacing("AGE", with: age)) where id = '\(id)'")
        }
        // Long after the end of its access token.
        try await age(days, 1)
        #expect(try await ring(world) == "1 of 1")
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.devices) == 1)
        try await age(days, 0)
        #expect(try await ring(world) == "0 of 1")
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.devices) == 0)
        await world.shutdown()
    }

    /// `ends_at` is 30 days after the upgrade of the server that registered it.
    @Test(arguments: ["created_at = AGE", "created_at = now() - interval '1 year', ends_at = AGE + interval '30 days'"])
    func withoutASessionItEndsAfterThirtyDays(_ times: String) async throws {
        let world = try await Self.make()
        try await perform(Self.register, world.context(as: .ana), world)
        func age(_ age: String) async throws {
            let times = times.replacing("AGE", with: "now() - (interval \(age))")
            try await world.execute(script: "update push_devices set session_id = null, \(times)")
        }
        try await age("'30 days' - interval '1 hour'")
        #expect(try await ring(world) == "1 of 1")
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.devices) == 1)
        try await age("'30 days'")
        #expect(try await ring(world) == "0 of 1")
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.devices) == 0)
        await world.shutdown()
    }

    /// A message that was queued before the session ended is not sent, nor one that was tried before.
    @Test(arguments: [PushOutcome?.none, .failed("503")])
    func whatIsQueuedGoesWithIt(_ outcome: PushOutcome?) async throws {
        let world = try await Self.make()
        let session = try await signIn(world)
        try await perform(Self.register, session, world)
        let comment = "addComment(input: {subjectId: \"\(worldID(.thought, 0x203))\", text: \"x\"})"
        try await perform(comment, world.context(as: .ben), world)
        try await world.writeNotifications()
        if let outcome {
            #expect(try await PushQueue(world.environment, hold: .zero) { _ in outcome }.dealWithDue().taken == 1)
        }
        #expect(try await world.number("select count(*) from push_queue") == 1)
        try await perform("signOut", session, world)
        #expect(try await world.number("select count(*) from push_queue") == 0)
        await world.shutdown()
    }

    // MARK: Moves

    @Test func itIsOfTheSessionThatRegisteredLast() async throws {
        let world = try await Self.make()
        let (first, second) = (try await signIn(world), try await signIn(world))
        try await perform(Self.register, first, world)
        try await perform(Self.register, second, world)
        try await perform("signOut", first, world)
        #expect(try await ring(world) == "1 of 1")
        try await perform("signOut", second, world)
        #expect(try await ring(world) == "0 of 0")
        await world.shutdown()
    }

    @Test(arguments: [true, false]) func mergingMovesIt(_ hasSession: Bool) async throws {
        let world = try await Self.make()
        try await perform(Self.register, world.context(as: .zoe), world)
        if !hasSession { try await world.execute(script: "update push_devices set session_id = null") }
        let session = try await signIn(world, from: world.context(as: .zoe), isMerging: true)
        #expect(try await ring(world) == "1 of 1")
        try await perform("signOut", session, world)
        #expect(try await ring(world) == "0 of 0")
        #expect(try await world.number(Self.devices) == 0)
        await world.shutdown()
    }

    /// Signing in without merging leaves the anonymous session, and with it the device, as they are.
    @Test func aSignInBesideAnAnonymousSessionTakesNothing() async throws {
        let world = try await Self.make()
        try await perform(Self.register, world.context(as: .zoe), world)
        _ = try await signIn(world, from: world.context(as: .zoe))
        let session = try #require(Person.zoe.viewer?.sessionID)
        #expect(
            try await world.texts("select user_id || ' ' || session_id from push_devices")
                == ["\(worldUUID(0xD)) \(session)"])
        await world.shutdown()
    }

    @Test func signingUpKeepsIt() async throws {
        let world = try await Self.make()
        try await perform(Self.register, world.context(as: .zoe), world)
        let account = "{username: \"zoe\", email: \"zoe@example.org\", password: \"a long way to go\"}"
        let answer = try await world.ask(
            "mutation { signUp(input: \(account)) { accessToken refreshToken } }", as: .zoe)
        let token = try #require(answer.string("signUp", "accessToken"))
        let session = try await world.environment.authenticate(
            authorization: "Bearer \(token)", userAgent: "tests", address: nil)
        #expect(try await world.number(Self.devices) == 1)
        try await perform("signOut", session, world)
        #expect(try await world.number(Self.devices) == 0)
        await world.shutdown()
    }

    // MARK: Races

    /// Holds the address of the device for another account, so that its registration waits when it has locked its session.
    private func holdAddress(_ world: World) async throws -> DedicatedConnection {
        let holding = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await holding.execute(
            script: """
                begin;
                insert into push_devices (id, user_id, transport, address, topic)
                values (gen_random_uuid(), '\(worldUUID(0xB))', 'APNS', '\(Self.token)', 'dev.tertulia')
                """)
        return holding
    }

    /// A request that was authenticated before its session ended registers nothing.
    @Test func aSessionThatEndsFirstRefusesIt() async throws {
        let world = try await Self.make()
        let session = try await signIn(world)
        let id = try #require(session.viewer?.sessionID)
        let ending = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await ending.execute(script: "begin; update sessions set revoked_at = now() where id = '\(id)'")
        async let answer = world.ask("mutation { \(Self.register) { pushDevice { id } } }", session)
        try await world.untilWaiting(1)
        try await ending.execute(script: "commit")
        #expect(try await answer.code == "UNAUTHENTICATED")
        #expect(try await world.number(Self.devices) == 0)
        await ending.close()
        await world.shutdown()
    }

    @Test func aSessionThatIsGoneRefusesIt() async throws {
        let world = try await Self.make()
        let session = try await signIn(world)
        let id = try #require(session.viewer?.sessionID)
        try await world.execute(script: "delete from sessions where id = '\(id)'")
        #expect(
            try await world.ask("mutation { \(Self.register) { pushDevice { id } } }", session).code
                == "UNAUTHENTICATED")
        #expect(try await world.number(Self.devices) == 0)
        await world.shutdown()
    }

    /// The end of the session waits for a registration that has begun, and ends it.
    @Test func aSessionThatEndsMeanwhileEndsIt() async throws {
        let world = try await Self.make()
        let session = try await signIn(world)
        let holding = try await holdAddress(world)
        async let registered = world.ask("mutation { \(Self.register) { pushDevice { id } } }", session)
        try await world.untilWaiting(1)
        async let ended = world.ask("mutation { signOut { userErrors { code } } }", session)
        try await world.untilWaiting(2)
        try await holding.execute(script: "rollback")
        #expect(try await registered.string("registerPushDevice", "pushDevice", "id") != nil)
        #expect(try await ended.isData)
        #expect(try await world.number(Self.devices) == 0)
        await holding.close()
        await world.shutdown()
    }

    /// A device that registers in the anonymous session while this is merged is moved.
    @Test func aRegistrationThatTheMergeWaitsForIsMoved() async throws {
        let world = try await Self.make()
        let zoe = world.context(as: .zoe)
        let holding = try await holdAddress(world)
        async let registered = world.ask("mutation { \(Self.register) { pushDevice { id } } }", zoe)
        try await world.untilWaiting(1)
        async let merged = signIn(world, from: zoe, isMerging: true)
        try await world.untilWaiting(2)
        try await holding.execute(script: "rollback")
        #expect(try await registered.string("registerPushDevice", "pushDevice", "id") != nil)
        let session = try #require(try await merged.viewer?.sessionID)
        #expect(
            try await world.texts("select user_id || ' ' || session_id from push_devices")
                == ["\(worldUUID(0xA)) \(session)"])
        await holding.close()
        await world.shutdown()
    }

    /// Notifications are written for the devices that are left.
    @Test func aDeviceThatGoesWhileANotificationIsWrittenIsPassedOver() async throws {
        let world = try await Self.make()
        try await perform(Self.register, world.context(as: .ana), world)
        // A like is in the outbox at once. A comment gets there when no older transaction runs in the cluster.
        let like = "likeThought(input: {thoughtId: \"\(worldID(.thought, 0x203))\"})"
        try await perform(like, world.context(as: .ben), world)
        let ending = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await ending.execute(script: "begin; delete from push_devices")
        async let written = world.environment.pools.worker.run(WriteNotifications(batch: 500))
        try await world.untilWaiting(1)
        try await ending.execute(script: "commit")
        #expect(try await written == [1])
        #expect(try await world.number("select count(*) from push_queue") == 0)
        await ending.close()
        await world.shutdown()
    }

    /// Sessions that register devices and end, while pushes are sent to these: none is left.
    @Test func nothingIsLeftAfterMuchAtOnce() async throws {
        let world = try await Self.make(writers: 16)
        let comment = "addComment(input: {subjectId: \"\(worldID(.thought, 0x203))\", text: \"x\"})"
        @Sendable func register(_ number: Int) -> String {
            let token = String(repeating: "0\(number)", count: 32)
            return "registerPushDevice(input: {target: {apns: {deviceToken: \"\(token)\", topic: \"x\"}}})"
        }
        for _ in 0..<5 {
            var sessions: [RequestContext] = []
            for _ in 0..<4 { sessions.append(try await signIn(world)) }
            for number in 0..<8 { try await perform(register(number), sessions[number % 4], world) }
            let all = sessions
            try await perform(comment, world.context(as: .ben), world)
            try await world.writeNotifications()
            let codes = try await concurrently(12) { number -> String? in
                let session = all[number % 4]
                switch number / 4 {
                case 0:
                    return try await world.ask("mutation { \(register(number)) { userErrors { code } } }", session).code
                case 1:
                    let end = number % 4 == 0 ? "revokeOtherSessions(input: {})" : "signOut"
                    let code = try await world.ask("mutation { \(end) { userErrors { code } } }", session).code
                    guard number % 4 == 0 else { return code }
                    return try await world.ask("mutation { signOut { userErrors { code } } }", session).code
                default:
                    _ = try await PushQueue(world.environment, hold: .zero) { message in
                        message.target.isEven ? .sent : .gone
                    }.dealWithDue()
                    return nil
                }
            }
            #expect(Set(codes).subtracting([nil, "UNAUTHENTICATED"]) == [])
            #expect(try await world.number(Self.devices) == 0)
        }
        await world.shutdown()
    }

    // MARK: The migration

    /// A database of the release before: devices of sessions that have ended go, and pending addresses that no link and
    /// no queued mail can confirm.
    @Test func theMigrationEndsWhatShouldHaveEnded() async throws {
        let connection = try await TestMigrations.database { connection in
            let earlier = TestMigrations.all.filter { $0.version < 21 }
            try await Migrator(earlier, compatibility: MigrationSources.compatibility, connection: connection).migrate()
            try await connection.execute(script: Self.releaseBefore)
            try await TestMigrations.migrator(connection).migrate()
        }
        let devices = try await connection.run(
            CatalogLines(
                sql:
                    "select concat_ws(' ', address, date_trunc('day', ends_at - now())) from push_devices order by address"
            ))
        #expect(devices == ["live", "none 29 days"])
        let pending = try await connection.run(
            CatalogLines(sql: "select concat_ws(' ', email, pending_email) from credentials order by email"))
        #expect(pending == ["asked asked.new", "expired", "linked linked.new", "reset"])
        await connection.close()
    }

    private static let releaseBefore = """
        insert into users (id, display_name)
          select ('00000000-0000-7000-8000-00000000000' || n)::uuid, 'x' from generate_series(1, 4) n;
        insert into credentials (user_id, email, pending_email, password_hash) select id,
          (array['asked', 'expired', 'linked', 'reset'])[right(id::text, 1)::integer],
          (array['asked.new', 'expired.new', 'linked.new', 'reset.new'])[right(id::text, 1)::integer], 'x' from users;
        insert into one_time_tokens (hash, user_id, purpose, email, expires_at)
          select sha256(k.email::bytea), k.user_id, 'CONFIRM_EMAIL', k.pending_email,
            now() + interval '1 hour' * case k.email when 'linked' then 1 else -1 end
          from credentials k where k.email in ('expired', 'linked');
        insert into mails (id, kind, recipient, user_id)
          select user_id, 'CONFIRM_EMAIL', pending_email, user_id from credentials where email = 'asked';
        insert into sessions (id, user_id, family, current_hash, revoked_at) values
          ('\(worldUUID(1))', '00000000-0000-7000-8000-000000000001', '\\x01', '\\x01', null),
          ('\(worldUUID(2))', '00000000-0000-7000-8000-000000000001', '\\x02', '\\x02', now());
        insert into push_devices (id, user_id, transport, address, session_id)
          select gen_random_uuid(), '00000000-0000-7000-8000-000000000001', 'APNS', d.address, d.session_id from (values
            ('live', '\(worldUUID(1))'::uuid), ('revoked', '\(worldUUID(2))'), ('swept', '\(worldUUID(3))'), ('none', null)
          ) as d (address, session_id);
        """
}

extension PushTarget {
    /// Whether the first digits of the device token are an even number.
    fileprivate var isEven: Bool {
        if case .apns(let token, _, _) = self { Int(token.prefix(2)).map { $0 % 2 == 0 } == true } else { false }
    }
}
