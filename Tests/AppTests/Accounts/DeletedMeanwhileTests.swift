import Postgres
import TestSupport
import Testing

@testable import App

/// Mutations of a deleted account whose access token is still accepted. Another replica accepts it until it learns of
/// the deletion.
@Suite struct DeletedMeanwhileTests {
    private static func delete(_ input: String) -> String {
        "mutation { deleteAccount(input: {\(input)}) { userErrors { code } } }"
    }

    private static let password = "password: \"correct horse battery\""

    /// - Parameter isRemoved: the rows of the accounts are gone, too, with the outcomes that were stored for their
    ///   clientMutationIds.
    @Test(arguments: [false, true]) func aDeletionAfterAnother(_ isRemoved: Bool) async throws {
        let world = try await World.make()
        let deletions: [(Person, String)] = [
            (.ana, Self.password), (.ben, "\(Self.password), clientMutationId: \"1\""),
            (.zoe, "clientMutationId: \"2\""),
        ]
        for (person, input) in deletions {
            #expect(try await world.ask(Self.delete(input), as: person).isData)
        }
        if isRemoved { try await remove(world) }
        for (person, input) in deletions {
            let answer = try await world.ask(Self.delete(input), as: person)
            let isReplayed = input.contains("clientMutationId") && !isRemoved
            #expect(isReplayed ? answer.isData : answer.code == "UNAUTHENTICATED", "\(person): \(answer.text)")
        }
        #expect(try await world.number("select count(*) from idempotency") == (isRemoved ? 0 : 2))
        await world.shutdown()
    }

    private static let changes = [
        "changePassword(input: {currentPassword: \"correct horse battery\", newPassword: \"a long quiet evening\"})",
        "changeEmail(input: {\(password), newEmail: \"new@example.org\"})",
    ]

    @Test(arguments: changes) func aChangeThatHasFoundTheAccount(_ mutation: String) async throws {
        let world = try await World.make(writers: 8)
        // PostgreSQL gives a row's lock to those who wait in the order in which they came, so the deletion goes on before
        // the change.
        let holding = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await holding.execute(
            script: "begin; select from credentials where email = 'ana@example.org' for update")
        let deletion = Task { try await world.ask(Self.delete(Self.password), as: .ana) }
        try await world.untilWaiting(1)
        let change = Task { try await world.ask("mutation { \(mutation) { userErrors { code } } }", as: .ana) }
        try await world.untilWaiting(2)
        try await holding.execute(script: "rollback")
        #expect(try await deletion.value.isData)
        let answer = try await change.value
        #expect(answer.code == "UNAUTHENTICATED", "\(answer.text)")
        await holding.close()
        await world.shutdown()
    }

    @Test(arguments: changes + ["requestEmailConfirmation", "updateProfile(input: {bio: \"x\"})"], [false, true])
    func aChangeAfterADeletion(_ mutation: String, _ isRemoved: Bool) async throws {
        let world = try await World.make()
        #expect(try await world.ask(Self.delete(Self.password), as: .ana).isData)
        if isRemoved { try await remove(world) }
        let answer = try await world.ask("mutation { \(mutation) { userErrors { code } } }", as: .ana)
        #expect(answer.code == "UNAUTHENTICATED", "\(answer.text)")
        await world.shutdown()
    }

    private static let signUp = """
        mutation { signUp(input: {username: "zoe", email: "zoe@example.org", password: "a long quiet evening"}) \
        { accessToken userErrors { code } } }
        """

    @Test(arguments: [Person.ana, .zoe], [false, true])
    func aSignUpAfterADeletion(_ person: Person, _ isRemoved: Bool) async throws {
        let world = try await World.make()
        let input = person == .zoe ? "" : Self.password
        #expect(try await world.ask(Self.delete(input), as: person).isData)
        if isRemoved { try await remove(world) }
        let answer = try await world.ask(Self.signUp, as: person)
        #expect(answer.code == "UNAUTHENTICATED", "\(answer.text)")
        #expect(try await world.ask(Self.signUp, as: .nobody).isData)
        await world.shutdown()
    }

    /// The sign-up has found the anonymous account, and waits for the deletion.
    @Test func aSignUpBesideADeletion() async throws {
        let world = try await World.make(writers: 8)
        let holding = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await holding.execute(script: "begin; select from users where id = '\(worldUUID(0xD))' for update")
        let deletion = Task { try await world.ask(Self.delete(""), as: .zoe) }
        try await world.untilWaiting(1)
        let signedUp = Task { try await world.ask(Self.signUp, as: .zoe) }
        try await world.untilWaiting(2)
        try await holding.execute(script: "rollback")
        #expect(try await deletion.value.isData)
        let answer = try await signedUp.value
        #expect(answer.code == "UNAUTHENTICATED", "\(answer.text)")
        // The name and the address stay free.
        try await remove(world)
        #expect(try await world.ask(Self.signUp, as: .nobody).isData)
        await holding.close()
        await world.shutdown()
    }

    private func remove(_ world: World) async throws {
        try await eventually("nothing is left to remove") { try await !AccountRemoval(world.environment).removeNext() }
    }
}
