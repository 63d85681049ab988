import Postgres
import Testing

@testable import App

/// The statements' own checks left out: as the server's role with a viewer set, the policies and grants alone refuse.
@Suite struct RawWriteTests {
    @Test func refusesWhatIsAnothers() async throws {
        let world = try await World.make()
        try await world.execute(script: OwnershipMatrix.script + RawStatements.script)
        let connection = try await DedicatedConnection.open(
            ConnectionConfiguration(world.url, role: "tertulia_server"))
        for group in RawStatements.all { try await check(group, in: world, on: connection) }
        await connection.close()
        await world.shutdown()
    }

    private func check(
        _ group: RawStatements.Group, in world: World, on connection: DedicatedConnection
    ) async throws {
        let before = try await Truth(of: world)
        for statement in group.denied {
            let error = await #expect(throws: PostgresError.self, "\(statement.text)") {
                try await run(statement, as: group.viewer, on: connection)
            }
            #expect(error?.sqlstate == .insufficientPrivilege, "\(statement.text)")
        }
        for statement in group.nothing {
            let rows = try await run(statement, as: group.viewer, on: connection)
            #expect(rows.affected == 0, "\(group.viewer): \(statement.text)")
        }
        #expect(try await Truth(of: world) == before, "\(group.about)")
    }

    private func run(
        _ statement: SQL, as viewer: Person, hiding: Bool = false, on connection: DedicatedConnection
    ) async throws -> Rows {
        try await connection.transaction { transaction in
            let id = viewer.viewer?.userID.description ?? ""
            try await transaction.execute("select set_config('app.viewer_id', \(id), true)")
            if hiding {
                let viewer = try #require(viewer.viewer).userID
                try await transaction.execute("select \(HiddenPeople.setting(of: viewer))")
            }
            return try await transaction.execute(statement)
        }
    }

    /// What the policies let through, so that the refusals above are no accident of the set-up.
    @Test func allowsOwnRows() async throws {
        let world = try await World.make()
        try await world.execute(script: OwnershipMatrix.script + RawStatements.script)
        let connection = try await DedicatedConnection.open(
            ConnectionConfiguration(world.url, role: "tertulia_server"))
        for statement in RawStatements.allowedToBen {
            #expect(try await run(statement, as: .ben, on: connection).affected == 1, "\(statement.text)")
        }
        await connection.close()
        await world.shutdown()
    }

    /// Ana blocked ben: in none of the tables is there anything of hers for him, nor can he add to it.
    @Test func whoIsBlockedSeesNothing() async throws {
        let world = try await World.make()
        try await world.execute(script: OwnershipMatrix.script + RawStatements.script)
        let connection = try await DedicatedConnection.open(
            ConnectionConfiguration(world.url, role: "tertulia_server"))
        for statement in RawStatements.nothingToTheBlocked {
            let rows = try await run(statement, as: .ben, hiding: true, on: connection)
            #expect(rows.affected == 0, "\(statement.text)")
        }
        for statement in RawStatements.deniedToTheBlocked {
            let error = await #expect(throws: PostgresError.self, "\(statement.text)") {
                try await run(statement, as: .ben, hiding: true, on: connection)
            }
            #expect(error?.sqlstate == .insufficientPrivilege, "\(statement.text)")
        }
        #expect(try await run("select from thoughts", as: .ben, on: connection).affected == 3)
        #expect(try await run("select from thoughts", as: .ben, hiding: true, on: connection).affected == 1)
        await connection.close()
        await world.shutdown()
    }

    @Test func withoutAViewerOnlyWhatIsPublic() async throws {
        let world = try await World.make()
        try await world.execute(script: OwnershipMatrix.script + RawStatements.script)
        let connection = try await DedicatedConnection.open(
            ConnectionConfiguration(world.url, role: "tertulia_server"))
        let seen = try await connection.run(Texts(sql: RawStatements.visible))
        #expect(
            seen == [
                "thoughts 3, 0 drafts", "comments 3", "likes 2", "saves 0", "ratings 0", "events 2", "rsvps 2",
                "conversations 0", "members 0", "messages 0", "notifications 0", "devices 0",
                "users 4", "credentials 0", "sessions 0", "idempotency 0", "blocks 0", "images 0",
            ])
        for statement in RawStatements.deniedToNobody {
            let error = await #expect(throws: PostgresError.self, "\(statement.text)") {
                try await connection.execute(statement)
            }
            #expect(error?.sqlstate == .insufficientPrivilege, "\(statement.text)")
        }
        await connection.close()
        await world.shutdown()
    }
}
