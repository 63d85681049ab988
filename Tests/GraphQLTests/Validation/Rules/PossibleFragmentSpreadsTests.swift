import Testing

@testable import GraphQL

@Suite struct PossibleFragmentSpreadsTests {
    @Test(arguments: [
        "fragment dogFragment on Dog { ... on Dog { barkVolume } }",
        "fragment petNameFragment on Pet { name } fragment interfaceWithinObjectFragment on Dog { ...petNameFragment }",
        "fragment catOrDogNameFragment on CatOrDog { ... on Cat { meowVolume } } fragment u on Dog "
            + "{ ...catOrDogNameFragment }",
        "fragment petFragment on Pet { name ... on Dog { barkVolume } }",
        "fragment catOrDogFragment on CatOrDog { ... on Cat { meowVolume } }",
        "fragment unionWithInterface on Pet { ...dogOrHumanFragment } fragment dogOrHumanFragment "
            + "on DogOrHuman { __typename }",
        "fragment interfaceWithInterface on Node { ...resourceFragment } fragment resourceFragment on Resource { url }",
        "fragment wrongButNotHere on Dog { ... on String { x } ...F } fragment F on String { x }",
    ])
    func typesThatOverlap(document: String) throws {
        #expect(try errors(PossibleFragmentSpreads(), document) == [])
    }

    @Test(arguments: [
        ("fragment f on Dog { ... on Cat { meowVolume } }", "Dog", "Cat"),
        ("fragment sentientFragment on Sentient { ... on Dog { barkVolume } }", "Sentient", "Dog"),
        ("fragment humanOrAlienFragment on HumanOrAlien { ... on Cat { meowVolume } }", "HumanOrAlien", "Cat"),
    ])
    func inlineFragmentsThatNeverApply(document: String, scope: String, condition: String) throws {
        let message =
            "Fragment cannot be spread here as objects of type \"\(scope)\" can never be of type \"\(condition)\"."
        #expect(try errors(PossibleFragmentSpreads(), document).map { $0.prefix(message.count) } == [message[...]])
    }

    @Test func spreadsThatNeverApply() throws {
        let document = "fragment f on Pet { ...sentientFragment } fragment sentientFragment on Sentient { name }"
        #expect(
            try errors(PossibleFragmentSpreads(), document) == [
                "Fragment \"sentientFragment\" cannot be spread here as objects of type \"Pet\" "
                    + "can never be of type \"Sentient\". (1:21)"
            ])
    }
}
