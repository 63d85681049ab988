import Testing

/// The format that Apollo's clients ask for.
@Suite struct DeferSpec20220824Tests {
    private func parts(_ text: String) async throws -> [String] {
        try await IncrementalFixture.parts(text, format: .deferSpec)
    }

    /// A client reads each fragment from its own part alone.
    @Test func eachFragmentComesWithAllItsFields() async throws {
        #expect(
            try await parts(#"{ hero { id ... @defer(label: "later") { id name } } }"#) == [
                #"{"data":{"hero":{"id":"1"}},"hasNext":true}"#,
                #"{"incremental":[{"data":{"id":"1","name":"name 1"},"path":["hero"],"label":"later"}],"#
                    + #""hasNext":false}"#,
            ])
        #expect(
            try await parts(
                "{ hero { name ... @defer { name } nest { deeper { foo } } ... @defer { nest { deeper { bar } } } } }")
                == [
                    #"{"data":{"hero":{"name":"name 1","nest":{"deeper":{"foo":"foo"}}}},"hasNext":true}"#,
                    #"{"incremental":[{"data":{"name":"name 1"},"path":["hero"]},"#
                        + #"{"data":{"nest":{"deeper":{"bar":"bar"}}},"path":["hero"]}],"hasNext":false}"#,
                ])
    }

    @Test func fragmentsInsideFollowThoseAround() async throws {
        #expect(
            try await parts("{ hero { ... @defer { name friends { ... @defer { id } } } } }") == [
                #"{"data":{"hero":{}},"hasNext":true}"#,
                #"{"incremental":[{"data":{"name":"name 1","friends":[{},{},{}]},"path":["hero"]},"#
                    + #"{"data":{"id":"2"},"path":["hero","friends",0]},{"data":{"id":"3"},"path":["hero","friends",1]},"#
                    + #"{"data":{"id":"4"},"path":["hero","friends",2]}],"hasNext":false}"#,
            ])
    }

    @Test func errors() async throws {
        #expect(
            try await parts("{ hero { ... @defer { fails } ... @defer { strictFails } } }")[1]
                == #"{"incremental":[{"data":{"fails":null},"path":["hero"],"errors":["#
                + failure(#""hero","fails""#, 1, 23) + #"]},{"data":null,"path":["hero"],"errors":["#
                + failure(#""hero","strictFails""#, 1, 44) + #"]}],"hasNext":false}"#)
    }

    @Test func streams() async throws {
        #expect(
            try await parts(#"{ words @stream(initialCount: 1, label: "w") strictWords @stream }"#) == [
                #"{"data":{"words":["apple"],"strictWords":[]},"hasNext":true}"#,
                #"{"incremental":[{"items":[null,"cherry"],"path":["words",1],"label":"w"},"#
                    + #"{"items":["apple","banana"],"path":["strictWords",0]},"#
                    + #"{"items":null,"path":["strictWords",2],"errors":["# + failure(#""strictWords",2"#, 1, 46)
                    + #"]}],"hasNext":false}"#,
            ])
    }
}
