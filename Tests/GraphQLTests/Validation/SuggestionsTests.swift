import Testing

@testable import GraphQL

@Suite struct SuggestionsTests {
    @Test(arguments: [
        ("", ["a"], ["a"]), ("input", [], []), ("greenish", ["green"], ["green"]),
        ("verylongstring", ["vrylongstrng", "other"], ["vrylongstrng"]), ("ab", ["ba", "abc", "xyz"], ["abc", "ba"]),
        ("NAME", ["name", "names"], ["name", "names"]), ("a", ["a10", "a2", "a1"], ["a1", "a2"]),
    ])
    func nearWords(input: String, options: [String], expected: [String]) {
        #expect(suggestionList(input, options) == expected)
    }

    @Test func asASentence() {
        #expect(didYouMean([]) == "")
        #expect(didYouMean(["a"]) == " Did you mean \"a\"?")
        #expect(didYouMean(["a", "b"], "the enum value") == " Did you mean the enum value \"a\" or \"b\"?")
        #expect(didYouMean(["a", "b", "c", "d", "e", "f"]) == " Did you mean \"a\", \"b\", \"c\", \"d\", or \"e\"?")
    }

    @Test func numbersInNamesCountAsNumbers() {
        #expect(["a10", "a2", "b1", "a02"].sorted(by: naturalOrder).suffix(2) == ["a10", "b1"])
    }
}
