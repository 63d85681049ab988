import Testing

/// Spec: incremental delivery, 6.3.2 BuildExecutionPlan
@Suite struct DeferredFieldsComeOnceTests {
    private func parts(_ text: String) async throws -> [String] { try await IncrementalFixture.parts(text) }

    @Test(arguments: [
        "{ hero { ...F @defer ...F } } fragment F on Hero { name }",
        "{ hero { ...F ...F @defer } } fragment F on Hero { name }",
        "{ hero { name ... @defer { name ... @defer { name } } } }",
        "{ hero { name ... @defer { id @skip(if: true) } } }",
    ])
    func nothingIsLeftToDefer(_ text: String) async throws {
        #expect(try await parts(text) == [#"{"data":{"hero":{"name":"name 1"}}}"#])
    }

    @Test func inPlaceOfAnEmptyFragmentItsChild() async throws {
        #expect(
            try await parts("{ hero { ... @defer { ... @defer(label: \"inner\") { name } } } }") == [
                #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"],"label":"inner"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"name":"name 1"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test func commonFieldsOfTwoFragments() async throws {
        let text = #"{ ... @defer(label: "a") { hero { id } } ... @defer(label: "b") { hero { name } } }"#
        #expect(
            try await parts(text) == [
                #"{"data":{},"pending":[{"id":"0","path":[],"label":"a"},{"id":"1","path":[],"label":"b"}],"#
                    + #""hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"hero":{}}},{"id":"0","subPath":["hero"],"data":{"id":"1"}},"#
                    + #"{"id":"1","subPath":["hero"],"data":{"name":"name 1"}}],"#
                    + #""completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
    }

    @Test func fragmentsOfDifferentLevels() async throws {
        let text = """
            { hero { ... @defer(label: "in") { id } } ... @defer(label: "out") { hero { name } } }
            """
        #expect(
            try await parts(text) == [
                #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"],"label":"in"},"#
                    + #"{"id":"1","path":[],"label":"out"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"id":"1"}},{"id":"1","subPath":["hero"],"#
                    + #""data":{"name":"name 1"}}],"completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
    }

    @Test func fieldsOfTheFirstResponse() async throws {
        let text = """
            { hero { nest { deeper { foo } } other { deeper { foo } }
              ... @defer { nest { deeper { bar } } other { deeper { foo } } } } }
            """
        #expect(
            try await parts(text) == [
                #"{"data":{"hero":{"nest":{"deeper":{"foo":"foo"}},"other":{"deeper":{"foo":"foo"}}}},"#
                    + #""pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","subPath":["nest","deeper"],"data":{"bar":"bar"}}],"#
                    + #""completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test func fieldsOfFragmentsAround() async throws {
        let text = """
            { hero { nest { deeper { foo } } ... @defer { nest { deeper { foo bar }
              ... @defer { deeper { foo bar baz ... @defer { foo bar baz bak } } } } } } }
            """
        #expect(
            try await parts(text) == [
                #"{"data":{"hero":{"nest":{"deeper":{"foo":"foo"}}}},"pending":[{"id":"0","path":["hero"]}],"#
                    + #""hasNext":true}"#,
                #"{"pending":[{"id":"1","path":["hero","nest"]},{"id":"2","path":["hero","nest","deeper"]}],"#
                    + #""incremental":[{"id":"0","subPath":["nest","deeper"],"data":{"bar":"bar"}},"#
                    + #"{"id":"1","subPath":["deeper"],"data":{"baz":"baz"}},{"id":"2","data":{"bak":"bak"}}],"#
                    + #""completed":[{"id":"0"},{"id":"1"},{"id":"2"}],"hasNext":false}"#,
            ])
    }

    @Test func fieldsOfSiblingsAtOnePlace() async throws {
        let text = """
            { hero { nest { deeper { ... @defer { foo } } }
              ... @defer { nest { deeper { ... @defer { foo bar } } } } } }
            """
        #expect(
            try await parts(text) == [
                #"{"data":{"hero":{"nest":{"deeper":{}}}},"pending":[{"id":"0","path":["hero","nest","deeper"]},"#
                    + #"{"id":"1","path":["hero","nest","deeper"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"foo":"foo"}},{"id":"1","data":{"bar":"bar"}}],"#
                    + #""completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
    }

    @Test func aFragmentCompletesWithTheLastOfItsFields() async throws {
        let text = """
            { ... @defer(label: "slow") { a { someField slowField } } ... @defer(label: "fast") { a { someField } } }
            """
        #expect(
            try await parts(text)[1...] == [
                #"{"incremental":[{"id":"0","data":{"a":{"someField":"someField"}}}],"completed":[{"id":"1"}],"#
                    + #""hasNext":true}"#,
                #"{"incremental":[{"id":"0","subPath":["a"],"data":{"slowField":"slow 1"}}],"#
                    + #""completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }
}
