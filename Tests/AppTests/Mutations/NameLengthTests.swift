import Testing

@testable import App

/// A name of an account has 1,280 bytes at most beside its 80 characters, for it stands in push messages.
@Suite(.serialized) struct NameLengthTests {
    /// A character of 99 bytes.
    private static let longCharacter = "a" + String(repeating: "\u{301}", count: 49)

    /// A name of few characters.
    private func name(bytes: Int) -> String {
        let rest = bytes % 99
        return String(repeating: Self.longCharacter, count: bytes / 99) + (rest % 2 == 0 ? "bb" : "b")
            + String(repeating: "\u{301}", count: (rest - 1) / 2)
    }

    @Test(arguments: [
        (
            Person.nobody, "signUp",
            "username: \"eva\", email: \"eva@example.org\", password: \"a long quiet evening\", "
        ),
        (.ben, "updateProfile", ""),
    ])
    func longNamesAreRefused(_ person: Person, _ mutation: String, _ input: String) async throws {
        let world = try await World.make()
        for (bytes, errors) in [(1281, "[{\"code\":\"TOO_LONG\"}]"), (1280, "[]")] {
            let answer = try await world.ask(
                "mutation { \(mutation)(input: { \(input)displayName: \"\(name(bytes: bytes))\" }) { userErrors { code } } }",
                as: person)
            #expect(answer.text.contains("\"userErrors\":\(errors)"), "\(answer.text)")
        }
        await world.shutdown()
    }

    @Test func importsCutToTheBound() throws {
        for (text, maximum) in [(WrittenText.displayName, 1280), (.bio, 500 * 64)] {
            let cut = text.cut(String(repeating: Self.longCharacter, count: 400))
            #expect(try text.checked(cut) == cut)
            #expect(cut.utf8.count > maximum - 99 - 3)
            #expect(cut.last == "…")
        }
    }
}
