import Testing

/// Spec: incremental delivery, 6.4.4 Handling Execution Errors
@Suite struct DeferredErrorsTests {
    private func parts(_ text: String) async throws -> [String] { try await IncrementalFixture.parts(text) }

    @Test func endAtTheFragment() async throws {
        #expect(
            try await parts("{ hero { id ... @defer { name strictFails } } }") == [
                #"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#,
                #"{"completed":[{"id":"0","errors":["# + failure(#""hero","strictFails""#, 1, 31)
                    + #"]}],"hasNext":false}"#,
            ])
    }

    @Test func leaveNothingToDeferInWhatIsNull() async throws {
        #expect(
            try await parts("{ hero { strictFails ... @defer { name } } }") == [
                #"{"data":{"hero":null},"errors":["# + failure(#""hero","strictFails""#, 1, 10) + "]}"
            ])
        // What comes before the error is taken back, too.
        #expect(
            try await parts(
                "{ hero { friends @stream { id } nest { ... @defer { deeper { foo } } } strictFails } g { h } }")
                == [
                    #"{"data":{"hero":null,"g":{"h":"h"}},"errors":["# + failure(#""hero","strictFails""#, 1, 72) + "]}"
                ])
    }

    @Test func ofOneFragmentSpareTheOther() async throws {
        let text = """
            { ... @defer { a { someField b { c { strictFails } } } } a { ... @defer { b { c { d } } } } }
            """
        #expect(
            try await parts(text) == [
                #"{"data":{"a":{}},"pending":[{"id":"0","path":[]},{"id":"1","path":["a"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"1","data":{"b":{"c":{}}}},{"id":"1","subPath":["b","c"],"data":{"d":"d"}}],"#
                    + #""completed":[{"id":"0","errors":["# + failure(#""a","b","c","strictFails""#, 1, 38)
                    + #"]},{"id":"1"}],"hasNext":false}"#,
            ])
    }

    @Test func takeTheFragmentsInsideWithThem() async throws {
        #expect(
            try await parts("{ hero { ... @defer { strictFails ... @defer { name } } } }") == [
                #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#,
                #"{"completed":[{"id":"0","errors":["# + failure(#""hero","strictFails""#, 1, 23)
                    + #"]}],"hasNext":false}"#,
            ])
    }

    @Test func ofAFragmentThatWasNeverAnnouncedAreNotTold() async throws {
        let text = """
            { ... @defer(label: "r") { bad } ... @defer(label: "p") { slow ... @defer(label: "c") { bad } } }
            """
        #expect(
            try await parts(text) == [
                #"{"data":{},"pending":[{"id":"0","path":[],"label":"r"},{"id":"1","path":[],"label":"p"}],"#
                    + #""hasNext":true}"#,
                #"{"completed":[{"id":"0","errors":[{"message":"Something went wrong.","#
                    + #""locations":[{"line":1,"column":28},{"line":1,"column":89}],"path":["bad"],"#
                    + #""extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"1","data":{"slow":"slow"}}],"completed":[{"id":"1"}],"hasNext":false}"#,
            ])
    }
}
