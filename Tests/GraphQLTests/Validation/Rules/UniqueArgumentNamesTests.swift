import Testing

@testable import GraphQL

@Suite struct UniqueArgumentNamesTests {
    @Test func oneOfEach() throws {
        let document =
            "fragment f on Arguments { multipleRequirements(x: 1, y: 2) @label(text: \"a\") @label(text: \"b\") }"
        #expect(try errors(UniqueArgumentNames(), document) == [])
    }

    @Test func repeatsOnFieldsAndDirectives() throws {
        let document =
            "fragment f on Arguments { intArgField(intArg: 1, intArg: 2, intArg: 1) @skip(if: true, if: false) }"
        #expect(
            try errors(UniqueArgumentNames(), document) == [
                "There can be only one argument named \"intArg\". (1:39, 1:50, 1:61)",
                "There can be only one argument named \"if\". (1:78, 1:88)",
            ])
    }

    @Test func repeatsAmongMany() throws {
        let arguments = (0..<8).map { "a\($0 % 7): 1" }.joined(separator: ",")
        #expect(
            try errors(UniqueArgumentNames(), "{ f(\(arguments)) }") == [
                "There can be only one argument named \"a0\". (1:5, 1:47)"
            ])
    }
}
