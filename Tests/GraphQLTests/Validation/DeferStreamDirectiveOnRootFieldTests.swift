import Testing

@testable import GraphQL

@Suite struct DeferStreamDirectiveOnRootFieldTests {
    @Test(arguments: [
        "{ ... @defer { dog { name } } }",
        "mutation { addPet(pet: {}) { ... @defer { name } } }",
        "subscription { newMessage { ... @defer { body } } }",
    ])
    func onQueriesAndBelowRootFields(_ document: String) throws {
        #expect(try errors(.deferStreamDirectiveOnRootField, document) == [])
    }

    @Test func onRootFieldsOfMutationsAndSubscriptions() throws {
        let document = """
            mutation { ...F @defer ... @defer { addPet { name } } addPets @stream { name } }
            fragment F on Mutation { addPet { name } }
            subscription { ... @defer { newMessage { body } } newMessage @stream { body } }
            """
        #expect(
            try errors(.deferStreamDirectiveOnRootField, document) == [
                "Defer directive cannot be used on root mutation type \"Mutation\". (1:17)",
                "Defer directive cannot be used on root mutation type \"Mutation\". (1:28)",
                "Stream directive cannot be used on root mutation type \"Mutation\". (1:63)",
                "Defer directive cannot be used on root subscription type \"Subscription\". (3:20)",
                "Stream directive cannot be used on root subscription type \"Subscription\". (3:62)",
            ])
    }
}
