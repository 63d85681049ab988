import Testing

@testable import GraphQL

@Suite struct ScalarLeafsTests {
    @Test(arguments: ["fragment scalarSelection on Dog { barkVolume }", "query q { human { name } }"])
    func selectionsWhereTheyBelong(document: String) throws {
        #expect(try errors(ScalarLeafs(), document) == [])
    }

    @Test func noSelectionInALeaf() throws {
        #expect(
            try errors(ScalarLeafs(), "fragment f on Dog { barkVolume { sinceWhen } }") == [
                "Field \"barkVolume\" must not have a selection since type \"Int\" has no subfields. (1:32)"
            ])
    }

    @Test func aSelectionInEverythingElse() throws {
        #expect(
            try errors(ScalarLeafs(), "query a { human } query b { pet } query c { catOrDog }") == [
                "Field \"human\" of type \"Human\" must have a selection of subfields. Did you mean "
                    + "\"human { ... }\"? (1:11)",
                "Field \"pet\" of type \"Pet\" must have a selection of subfields. Did you mean "
                    + "\"pet { ... }\"? (1:29)",
                "Field \"catOrDog\" of type \"CatOrDog\" must have a selection of subfields. "
                    + "Did you mean \"catOrDog { ... }\"? (1:45)",
            ])
    }
}
