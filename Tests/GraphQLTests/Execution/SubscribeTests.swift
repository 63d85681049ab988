import GraphQL
import Testing

@Suite struct SubscribeTests {
    private func responses(
        _ text: String, variables: [String: InputValue] = [:], context: TestContext = TestContext()
    ) async throws -> [String] {
        switch try await subscribe(Fixture.plan(text, variables), variables: variables, context: context) {
        case .refused(let response): return ["refused", String(decoding: response.body, as: UTF8.self)]
        case .stream(let stream):
            var texts: [String] = []
            for try await response in stream { texts.append(String(decoding: response.body, as: UTF8.self)) }
            return texts
        }
    }

    @Test func mapsEachEventToAResponse() async throws {
        let found = try await responses("subscription ($n: Int!) { tick: ticks(count: $n) }", variables: ["n": .int(2)])
        #expect(found == [#"{"data":{"tick":0}}"#, #"{"data":{"tick":1}}"#])
    }

    @Test func executesTheSelectionOfEachEventAndEndsWithTheSourcesError() async throws {
        let context = TestContext()
        let found = try await responses("subscription { thoughtAdded { id author { name } } }", context: context)
        #expect(
            found == [
                #"{"data":{"thoughtAdded":{"id":"t1","author":{"name":"user 10"}}}}"#,
                #"{"data":{"thoughtAdded":null}}"#,
                #"{"errors":[{"message":"Something went wrong.","locations":[{"line":1,"column":16}],"#
                    + #""path":["thoughtAdded"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}"#,
            ])
        #expect(context.log.calls == ["author of 1 thoughts", "awaited authors", "masked"])
    }

    @Test func refusesWhereThereIsNoSource() async throws {
        let found = try await responses("subscription { refused }")
        #expect(
            found == [
                "refused",
                #"{"errors":[{"message":"Not you.","locations":[{"line":1,"column":16}],"path":["refused"],"#
                    + #""extensions":{"code":"FORBIDDEN"}}]}"#,
            ])
    }
}
