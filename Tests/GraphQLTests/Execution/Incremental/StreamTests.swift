import GraphQL
import Testing

/// Spec: incremental delivery, 3.13 @stream
@Suite struct StreamTests {
    private func parts(_ text: String, variables: [String: InputValue] = [:]) async throws -> [String] {
        try await IncrementalFixture.parts(text, variables: variables)
    }

    @Test func leafs() async throws {
        #expect(
            try await parts(#"{ words @stream(initialCount: 1, label: "w") }"#) == [
                #"{"data":{"words":["apple"]},"pending":[{"id":"0","path":["words"],"label":"w"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","items":[null,"cherry"]}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test func objectsWithNullsAndLists() async throws {
        #expect(
            try await parts("{ friends @stream { id } table @stream(initialCount: 2) }") == [
                #"{"data":{"friends":[],"table":[[1,2],[3]]},"pending":[{"id":"0","path":["friends"]},"#
                    + #"{"id":"1","path":["table"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","items":[{"id":"2"},null,{"id":"4"}]},{"id":"1","items":[[4,5]]}],"#
                    + #""completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
    }

    @Test(arguments: [
        ("@stream(if: false)", 1), ("@stream(initialCount: 3)", 1), ("@stream(initialCount: 9)", 1),
        ("@stream(initialCount: $count)", 2), ("@stream(if: $off)", 1), ("@stream(if: $on)", 2),
    ])
    func onlyWhereSomethingIsLeft(_ directive: String, _ count: Int) async throws {
        let text = "query ($count: Int!, $off: Boolean!, $on: Boolean) { words \(directive) }"
        let parts = try await parts(text, variables: ["count": .int(2), "off": .boolean(false)])
        #expect(parts.count == count)
        if count == 1 { #expect(parts == [#"{"data":{"words":["apple",null,"cherry"]}}"#]) }
    }

    @Test func aNegativeCountIsAnErrorOfTheField() async throws {
        #expect(
            try await parts("{ words @stream(initialCount: -2) }") == [
                #"{"data":{"words":null},"errors":[{"message":"The initialCount of @stream must not be negative.","#
                    + #""locations":[{"line":1,"column":3}],"path":["words"],"extensions":{"code":"BAD_USER_INPUT"}}]}"#
            ])
    }

    @Test func aNullCountIsAnErrorOfTheField() async throws {
        let text = "query ($count: Int) { words @stream(initialCount: $count) }"
        let parts = try await parts(text, variables: ["count": .null])
        #expect(parts.count == 1)
        #expect(parts[0].contains(#""Argument \"initialCount\" of non-null type \"Int!\" must not be null.""#))
    }

    /// The rest of all lists of a level is loaded at once, and not before the client waits for it.
    @Test func theRestIsExecutedTogetherAndLater() async throws {
        let context = TestContext()
        let text = "{ allFriends @stream(initialCount: 1) { slowName best { slowName } } }"
        #expect(
            try await IncrementalFixture.parts(text, context: context) == [
                #"{"data":{"allFriends":[{"slowName":"slow 2","best":{"slowName":"slow 3"}}]},"#
                    + #""pending":[{"id":"0","path":["allFriends"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","items":[{"slowName":"slow 3","best":{"slowName":"slow 4"}},"#
                    + #"{"slowName":"slow 4","best":{"slowName":"slow 5"}}]}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
        #expect(
            context.log.calls == [
                "allFriends", "slowName of 1", "slowName of 1", "part 0", "slowName of 2", "slowName of 2", "part 1",
            ])
    }

    @Test func errorsOfItemsThatMayBeNull() async throws {
        #expect(
            try await parts("{ friends @stream(initialCount: 1) { strictFails } }") == [
                #"{"data":{"friends":[null]},"errors":["# + failure(#""friends",0,"strictFails""#, 1, 38)
                    + #"],"pending":[{"id":"0","path":["friends"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","items":[null,null],"errors":["#
                    + failure(#""friends",2,"strictFails""#, 1, 38) + #"]}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test func anErrorOfAnotherItemEndsTheStream() async throws {
        #expect(
            try await parts("{ strictWords @stream(initialCount: 1) }")[1]
                == #"{"incremental":[{"id":"0","items":["banana"]}],"completed":[{"id":"0","errors":["#
                + failure(#""strictWords",2"#, 1, 3) + #"]}],"hasNext":false}"#)
        #expect(
            try await parts("{ strictFriends @stream { strictFails } }")[1]
                == #"{"completed":[{"id":"0","errors":["# + failure(#""strictFriends",0,"strictFails""#, 1, 27)
                + #"]}],"hasNext":false}"#)
        // Before the stream begins it is the list's.
        #expect(
            try await parts("{ strictWords @stream(initialCount: 3) }") == [
                #"{"data":{"strictWords":null},"errors":["# + failure(#""strictWords",2"#, 1, 3) + "]}"
            ])
    }

    @Test func inDeferredFragmentsAndAroundThem() async throws {
        #expect(
            try await parts("{ hero { ... @defer { friends @stream(initialCount: 2) { id } } } }") == [
                #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#,
                #"{"pending":[{"id":"1","path":["hero","friends"]}],"#
                    + #""incremental":[{"id":"0","data":{"friends":[{"id":"2"},{"id":"3"}]}},"#
                    + #"{"id":"1","items":[{"id":"4"}]}],"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
        #expect(
            try await parts("{ hero { friends @stream(initialCount: 2) { id ... @defer { name } } } }") == [
                #"{"data":{"hero":{"friends":[{"id":"2"},{"id":"3"}]}},"#
                    + #""pending":[{"id":"0","path":["hero","friends"]},{"id":"1","path":["hero","friends",0]},"#
                    + #"{"id":"2","path":["hero","friends",1]}],"hasNext":true}"#,
                #"{"pending":[{"id":"3","path":["hero","friends",2]}],"incremental":[{"id":"0","items":[{"id":"4"}]},"#
                    + #"{"id":"1","data":{"name":"name 2"}},{"id":"2","data":{"name":"name 3"}},"#
                    + #"{"id":"3","data":{"name":"name 4"}}],"#
                    + #""completed":[{"id":"0"},{"id":"1"},{"id":"2"},{"id":"3"}],"hasNext":false}"#,
            ])
    }

    /// Items that come later bring what a fragment around the list would have brought.
    @Test func itemsComeWhole() async throws {
        let text = """
            { allFriends @stream(initialCount: 2) { id } ... @defer { allFriends @stream(initialCount: 2) { name } } }
            """
        #expect(
            try await parts(text)[1]
                == #"{"incremental":[{"id":"0","items":[{"id":"4","name":"name 4"}]},"#
                + #"{"id":"1","subPath":["allFriends",0],"data":{"name":"name 2"}},"#
                + #"{"id":"1","subPath":["allFriends",1],"data":{"name":"name 3"}}],"#
                + #""completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#)
    }
}
