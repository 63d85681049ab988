import GraphQL
import Testing

@Suite struct ResponseTests {
    @Test func writesRequestErrors() {
        let error = GraphQLError(
            "No \"such\" thing.", code: .validationFailed, locations: [SourceLocation(line: 1, column: 2)])
        let response = Response(RequestError([error]))
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"{"errors":[{"message":"No \"such\" thing.","locations":[{"line":1,"column":2}],"#
                + #""extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}"#)
        #expect(!response.hasData)
        #expect(response.errors == [error])
    }

    @Test func writesExtensions() async throws {
        let extensions = InputObject([(name: "cost", value: .int(3))])
        let response = try await execute(
            Fixture.plan("{ now }"), variables: [:], context: TestContext(), extensions: extensions)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"data":{"now":42},"extensions":{"cost":3}}"#)
    }

    @Test func namesAllFieldsThatWereMerged() async throws {
        let response = try await Fixture.respond("{ fails\n fails ...F } fragment F on Query { again: fails fails }")
        #expect(
            response.errors.map(\.locations) == [
                [(1, 3), (2, 2), (2, 50)].map { SourceLocation(line: $0, column: $1) },
                [SourceLocation(line: 2, column: 37)],
            ])
        #expect(response.errors.map(\.path) == [[.key("fails")], [.key("again")]])
    }
}
