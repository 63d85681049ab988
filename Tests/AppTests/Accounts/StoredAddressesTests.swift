import Postgres
import Testing

@testable import App

/// What earlier releases stored as it was typed.
@Suite struct StoredAddressesTests {
    private static let password = "correct horse battery"
    /// Accounts with these addresses and Ana's password, all confirmed. The ids count from 0xF0.
    private func insert(_ addresses: [String], _ world: World) async throws {
        for (index, address) in addresses.enumerated() {
            let id = "'\(worldUUID(0xF0 + UInt64(index)))'"
            try await world.execute(
                script: """
                    insert into users (id, username, display_name) values (\(id), 'f\(index)', 'F');
                    insert into credentials (user_id, email, email_verified_at, password_hash)
                    select \(id), '\(address)', now(), password_hash from credentials where email = 'ana@example.org'
                    """)
        }
    }

    private func unify(_ world: World) async throws -> StoredAddresses.Report {
        let connection = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        let report = try await StoredAddresses.unify(connection)
        await connection.close()
        return report
    }

    private func stored(_ world: World) async throws -> [[UInt8]] {
        try await world.texts(
            "select email from credentials where user_id >= \(worldUUID(0xF0)) and email_verified_at is not null order by user_id"
        ).map { Array($0.utf8) }
    }

    private func signsIn(_ login: String, _ world: World) async throws -> UUID? {
        let answer = try await world.ask(
            """
            mutation { signIn(input: {login: "\(login)", password: "\(Self.password)"}) \
            { viewer { user { id } } userErrors { code } } }
            """, as: .nobody)
        return answer.string("signIn", "viewer", "user", "id").flatMap { TypeID($0)?.uuid }
    }

    private func reset(_ email: String, _ world: World) async throws -> [String] {
        try await world.execute(script: "delete from mails")
        let request = "mutation { requestPasswordReset(input: {email: \"\(email)\"}) { userErrors { code } } }"
        #expect(try await world.ask(request, as: .nobody).isData)
        return try await world.texts("select recipient from mails")
    }

    @Test func anAddressGetsItsFormWhereItLosesNothing() async throws {
        let world = try await World.make(writers: 8)
        let typed = [
            "zoe\u{308}@example.org", "gil@bücher.de", "ивa@example.org", "hal@i❤.ws", "fay\u{FEFF}@example.org",
            "👩\u{200D}💻@example.org",
        ]
        try await insert(typed, world)
        let refused = (3...5).map { worldUUID(0xF0 + $0) }
        let report = try await unify(world)
        #expect(report.changed == 2)
        #expect(Set(report.refused) == Set(refused))
        #expect(report.alike.isEmpty)
        #expect(report.problems.count == 1)
        let stored = ["zoë@example.org", "gil@xn--bcher-kva.de"] + typed.dropFirst(2)
        #expect(try await self.stored(world) == stored.map { Array($0.utf8) })
        for (index, login) in (typed + stored).enumerated() {
            #expect(try await signsIn(login, world) == worldUUID(0xF0 + UInt64(index % typed.count)), "\(login)")
        }
        #expect(try await unify(world).changed == 0)
        await world.shutdown()
    }

    @Test func addressesThatLookEqualAreReportedAndKept() async throws {
        let world = try await World.make(writers: 8)
        let typed = [
            "ana@exa\u{AD}mple.org", "\u{200B}kim@example.org", "kim\u{2060}@example.org", "gil@bücher.de",
            "gil@xn--bcher-kva.de",
        ]
        try await insert(typed, world)
        let report = try await unify(world)
        #expect(report.changed == 0 && report.refused.isEmpty)
        #expect(
            Set(report.alike.map(Set.init)) == [
                [worldUUID(0xA), worldUUID(0xF0)], [worldUUID(0xF1), worldUUID(0xF2)],
                [worldUUID(0xF3), worldUUID(0xF4)],
            ])
        #expect(report.problems.count == 3)
        #expect(try await stored(world) == typed.map { Array($0.utf8) })
        for (index, login) in typed.enumerated() {
            #expect(try await signsIn(login, world) == worldUUID(0xF0 + UInt64(index)), "\(login)")
        }
        #expect(try await signsIn("ana@example.org", world) == worldUUID(0xA))
        #expect(try await signsIn("\u{FEFF}ana@example.org", world) == worldUUID(0xA))
        await world.shutdown()
    }

    /// Also before `migrate` has run, and while a server of the release before still stores addresses as they are typed.
    @Test func anAddressThatWasStoredAsItWasTypedIsFound() async throws {
        let world = try await World.make(writers: 8)
        let typed = ["gil@bücher.de", "\u{200B}kim@example.org"]
        try await insert(typed, world)
        for (index, email) in typed.enumerated() {
            let signUp = "signUp(input: {email: \"\(email)\", password: \"a long way to go\"}) { userErrors { code } }"
            #expect(try await world.ask("mutation { \(signUp) }", as: .nobody).userErrors == ["TAKEN"])
            let change = "changeEmail(input: {newEmail: \"\(email)\", password: \"\(Self.password)\"})"
            let changed = try await world.ask("mutation { \(change) { userErrors { code field } } }", as: .ben)
            #expect(changed.userErrors == ["TAKEN newEmail"])
            #expect(try await reset(email, world) == [email])
            #expect(try await signsIn(email, world) == worldUUID(0xF0 + UInt64(index)))
        }
        await world.shutdown()
    }

    /// Whoever has an account whose address looks equal could end the back-off of another's with each fifth sign-in.
    @Test func aSignInDoesNotEndTheBackOffOfAnAddressThatLooksEqual() async throws {
        let world = try await World.make(writers: 8)
        try await insert(["ana\u{200B}@example.org"], world)
        for _ in 0..<4 {
            let guess = try await world.ask(RateTests.signIn("ana@example.org", "wrong"), as: .nobody)
            #expect(guess.userErrors == ["WRONG_CREDENTIALS"])
        }
        #expect(try await signsIn("ana\u{200B}@example.org", world) == worldUUID(0xF0))
        #expect(try await world.number("select sum(failures) from sign_in_attempts") == 4)
        #expect(try await signsIn("ana@example.org", world) == worldUUID(0xA))
        #expect(try await world.number("select count(*) from sign_in_attempts") == 0)
        await world.shutdown()
    }

    @Test func aPendingAddressIsForgottenUnlessItIsInItsForm() async throws {
        let world = try await World.make(writers: 8)
        let pending: SQL = "select coalesce(pending_email, '') from credentials where email = 'ana@example.org'"
        for (address, isKept) in [
            ("ивa@example.org", true), ("new@example.org", true), ("new\u{200B}@example.org", false),
            ("new@bücher.de", false),
        ] {
            try await world.execute(
                script: "update credentials set pending_email = '\(address)' where email = 'ana@example.org'")
            #expect(try await unify(world) == .init())
            #expect(try await world.texts(pending) == [isKept ? address : ""])
        }
        await world.shutdown()
    }

    @Test func moreThanAPageIsRead() async throws {
        let world = try await World.make(writers: 8)
        try await world.execute(
            script: """
                insert into users (id, display_name) select md5(n::text)::uuid, 'N' from generate_series(1, 2100) n;
                insert into credentials (user_id, email, password_hash)
                select md5(n::text)::uuid, 'n' || n || '@bücher.de', '-' from generate_series(1, 2100) n
                """)
        #expect(try await unify(world) == .init(changed: 2100))
        #expect(
            try await world.number("select count(*) from credentials where email ~ '^n[0-9]+@xn--bcher-kva.de$'")
                == 2100)
        await world.shutdown()
    }
}
