import Testing

@testable import GraphQL

@Suite struct DeferStreamDirectiveOnRootFieldTests {
    @Test(arguments: [
        "{ ... @defer { dog { name } } }",
        "mutation { addPet(pet: {}) { ... @defer { name } } }",
        "subscription { newMessage { ... @defer { body } } }",
    ])
    func onQueriesAndBelowRootFields(_ document: String) throws {
        #expect(try errors(DeferStreamDirectiveOnRootField(), document) == [])
    }

    @Test func onRootFieldsOfMutationsAndSubscriptions() throws {
        let document = """
            mutation { ...F @defer ... @defer { addPet { name } } addPets @stream { name } }
            fragment F on Mutation { addPet { name } }
            subscription { ... @defer { newMessage { body } } newMessage @stream { body } }
            """
        #expect(
            try errors(DeferStreamDirectiveOnRootField(), document) == [
                "Defer directive cannot be used on root mutation type \"Mutation\". (1:17)",
                "Defer directive cannot be used on root mutation type \"Mutation\". (1:28)",
                "Stream directive cannot be used on root mutation type \"Mutation\". (1:63)",
                "Defer directive cannot be used on root subscription type \"Subscription\". (3:20)",
                "Stream directive cannot be used on root subscription type \"Subscription\". (3:62)",
            ])
    }

    /// A root type's interface gives the same fields, so a fragment on it cannot be a way around the rule.
    @Test func onRootFieldsReachedThroughFragmentsOnAbstractTypes() throws {
        let schema = try buildSchema(
            parse(
                Source(
                    """
                    interface Root { tasks: [Task!]! other: Root }
                    type Task { name: String }
                    type Query implements Root { tasks: [Task!]! other: Root }
                    type Mutation implements Root { tasks: [Task!]! other: Root }
                    type Subscription implements Root { tasks: [Task!]! other: Root }
                    union AnyRoot = Query | Mutation
                    """)))
        let document = """
            mutation { ... on Root { ... @defer { tasks { name } } tasks @stream { name } } ...Spread }
            fragment Spread on AnyRoot { ... on Mutation { ...Inner } ... on Root { ...Inner @defer } ...Spread }
            fragment Inner on Root { other { ... @defer { tasks { name } } } tasks { ... @defer { name } } }
            subscription { ... on Root { ...OfBoth } }
            mutation Again { ... on Root { ...OfBoth } }
            fragment OfBoth on Root { ... on Root @defer { tasks { name } } }
            query { ... on Root { ... @defer { tasks { name } } } ...OfQueries }
            fragment OfQueries on Root { ... @defer { tasks { name } } tasks @stream { name } }
            """
        #expect(
            try errors(DeferStreamDirectiveOnRootField(), document, schema: schema) == [
                "Defer directive cannot be used on root mutation type \"Mutation\". (1:30)",
                "Stream directive cannot be used on root mutation type \"Mutation\". (1:62)",
                "Defer directive cannot be used on root mutation type \"Mutation\". (2:82)",
                "Defer directive cannot be used on root mutation type \"Mutation\". (6:39)",
            ])
    }
}
