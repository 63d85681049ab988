import Testing

@testable import GraphQL

@Suite struct FragmentsOnCompositeTypesTests {
    @Test(arguments: [
        "fragment fragOnObject on Dog { name }", "fragment fragOnInterface on Pet { name }",
        "fragment fragOnUnion on CatOrDog { ... on Dog { name } }", "fragment onUnknown on Nothing { name }",
    ])
    func objectsInterfacesAndUnions(document: String) throws {
        #expect(try errors(FragmentsOnCompositeTypes(), document) == [])
    }

    @Test func nothingElse() throws {
        let document =
            "fragment fragOnScalar on Int { something }\nfragment f on Dog { ... on Boolean { somethingElse } }"
        #expect(
            try errors(FragmentsOnCompositeTypes(), document) == [
                "Fragment \"fragOnScalar\" cannot condition on non composite type \"Int\". (1:26)",
                "Fragment cannot condition on non composite type \"Boolean\". (2:28)",
            ])
    }
}
