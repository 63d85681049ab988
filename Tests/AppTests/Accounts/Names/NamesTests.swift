import Testing

@testable import App

@Suite(.serialized) struct NamesTests {
    private func signUp(_ names: String, number: Int, in world: World) async throws -> String {
        let answer = try await world.ask(
            """
            mutation { signUp(input: { \(names), email: "n\(number)@example.org", password: "a long quiet evening" }) \
            { userErrors { code field } } }
            """, as: .nobody)
        return answer.text
    }

    /// Somebody who looks like another person is refused, wherever the name comes in.
    @Test func nobodyLooksLikeSomebodyElse() async throws {
        let world = try await World.make()
        #expect(
            try await signUp("username: \"maria1\", displayName: \"Аня Petrov\"", number: 1, in: world).contains(
                "\"userErrors\":[]"))
        for (number, names, field) in [
            (2, "username: \"rnaria1\"", "username"), (3, "username: \"marial\"", "username"),
            (4, "username: \"admin\"", "username"),
            (5, "displayName: \"mаria1\"", "displayName"), (6, "displayName: \"Aня Petrov\"", "displayName"),
            (7, "displayName: \"Аня\u{200D} Petrov\"", "displayName"),
            (8, "displayName: \"A\u{200B}na\"", "displayName"),
            (9, "displayName: \"\u{2800}\u{3164}\"", ""),
        ] {
            let text = try await signUp(names, number: number, in: world)
            #expect(field.isEmpty == text.contains("\"userErrors\":[]"), "\(names): \(text)")
            #expect(field.isEmpty || text.contains("\"\(field)\""), "\(names): \(text)")
        }
        // The same name, a name in one script, and one's own name are nobody else's.
        for (number, names) in [
            (10, "displayName: \"Аня Petrov\""), (11, "displayName: \"Мария\""), (12, "displayName: \"Ana 山田\""),
        ] {
            #expect(try await signUp(names, number: number, in: world).contains("\"userErrors\":[]"), "\(names)")
        }
        func update(_ input: String) async throws -> String {
            try await world.ask(
                "mutation { updateProfile(input: { \(input) }) { userErrors { code field } } }", as: .ben
            ).text
        }
        #expect(try await update("displayName: \"Bеn\"").contains("\"userErrors\":[]"))
        #expect(try await update("displayName: \"mаria1\"").contains("displayName"))
        #expect(try await update("username: \"rnaria1\"").contains("TAKEN"))
        #expect(try await update("displayName: \"\u{E0061}\u{FE0F}\"").contains("REQUIRED"))
        #expect(try await update("username: \"ben\"").contains("\"userErrors\":[]"))
        await world.shutdown()
    }

    /// PostgreSQL computes the skeletons of usernames for its index as the server does.
    @Test func usernamesHaveTheSameSkeletonInTheDatabase() async throws {
        let world = try await World.make()
        for name in ["abcdefghijklmnopqrstuvwxyz", "0123456789._", "mm11rnl0o"] {
            #expect(try await world.texts("select username_skeleton(\(name))") == [NameSkeleton.of(name)])
        }
        await world.shutdown()
    }
}
