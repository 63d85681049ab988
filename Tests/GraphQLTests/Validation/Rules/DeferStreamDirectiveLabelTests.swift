import Testing

@testable import GraphQL

@Suite struct DeferStreamDirectiveLabelTests {
    @Test(arguments: [
        "{ dog { ... @defer { name } ... @defer { nickname } } }",
        "{ dog { ... @defer(label: \"a\") { name } ...F @defer(label: \"b\") } } fragment F on Dog { name }",
        "{ human { pets @stream(label: \"a\") { name } ... @defer(label: null) { name } } }",
    ])
    func uniqueOrNone(_ document: String) throws {
        #expect(try errors(DeferStreamDirectiveLabel(), document) == [])
    }

    @Test func repeated() throws {
        let document = "{ human { pets @stream(label: \"a\") { name } ... @defer(label: \"a\") { name } } }"
        #expect(
            try errors(DeferStreamDirectiveLabel(), document) == [
                "Value for arguments \"defer(label:)\" and \"stream(label:)\" must be unique across all Defer/Stream "
                    + "directive usages. (1:16, 1:49)"
            ])
    }

    @Test func fromAVariable() throws {
        let document =
            "query ($label: String) { human { pets @stream(label: $label) { name } ...F @defer(label: $label) } }"
        #expect(
            try errors(DeferStreamDirectiveLabel(), document) == [
                "Argument \"@stream(label:)\" must be a static string. (1:39)",
                "Argument \"@defer(label:)\" must be a static string. (1:76)",
            ])
    }
}
