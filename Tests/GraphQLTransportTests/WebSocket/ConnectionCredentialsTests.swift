import GraphQL
import Testing

@testable import GraphQLTransport

@Suite struct ConnectionCredentialsTests {
    private func payload(_ json: String) throws -> InputObject {
        guard case .object(let object) = try parseJSON(Array(json.utf8)) else { return InputObject() }
        return object
    }

    @Test(arguments: [
        #"{"accessToken":"a.b.c"}"#, #"{"accessToken":"Bearer a.b.c"}"#, #"{"authToken":"a.b.c"}"#,
        #"{"authToken":"bearer a.b.c"}"#, #"{"token":"a.b.c"}"#, #"{"token":"BEARER a.b.c"}"#,
        #"{"Authorization":"Bearer a.b.c"}"#, #"{"authorization":"bearer a.b.c"}"#,
        #"{"AUTHORIZATION":"Bearer a.b.c"}"#,
        #"{"headers":{"Authorization":"Bearer a.b.c"}}"#, #"{"headers":{"authorization":"Bearer a.b.c","x":1}}"#,
        #"{"accessToken":"a.b.c","headers":{"Authorization":"Bearer a.b.c"},"token":"Bearer a.b.c"}"#,
    ])
    func theTokenIsUnderstood(_ json: String) throws {
        let payload = try payload(json)
        #expect(ConnectionCredentials.areGiven(in: payload))
        #expect(try ConnectionCredentials.token(in: payload) == "a.b.c")
    }

    @Test(arguments: [
        "{}", #"{"headers":{}}"#, #"{"headers":"Authorization"}"#, #"{"resumeAfter":"x","client":{"token":"x"}}"#,
        #"{"headers":{"X-Token":"a.b.c"}}"#,
    ])
    func thereIsNone(_ json: String) throws {
        let payload = try payload(json)
        #expect(!ConnectionCredentials.areGiven(in: payload))
        #expect(try ConnectionCredentials.token(in: payload) == nil)
    }

    @Test(
        arguments: ["accessToken", "authToken", "token", "Authorization"].flatMap { name in
            ["7", "null", "true", "[\"a.b.c\"]", "{\"value\":\"a.b.c\"}"].map { "{\"\(name)\":\($0)}" }
        } + [#"{"headers":{"Authorization":7}}"#, #"{"accessToken":"a.b.c","headers":{"authorization":null}}"#])
    func aTokenIsAString(_ json: String) throws { try expect(.notAString, json) }

    @Test(arguments: [
        #"{"Authorization":"a.b.c"}"#, #"{"Authorization":"Basic YTpi"}"#,
        #"{"headers":{"authorization":"Token a.b.c"}}"#,
        #"{"Authorization":"Bearera.b.c"}"#, #"{"Authorization":""}"#, #"{"accessToken":"Basic YTpi"}"#,
    ])
    func theSchemeIsBearer(_ json: String) throws { try expect(.unknownScheme, json) }

    @Test(arguments: [
        #"{"accessToken":"a.b.c","token":"d.e.f"}"#,
        #"{"authToken":"a.b.c","headers":{"Authorization":"Bearer d.e.f"}}"#,
        #"{"headers":{"Authorization":"Bearer a.b.c","authorization":"Bearer d.e.f"}}"#,
    ])
    func twoTokensAreRefused(_ json: String) throws { try expect(.twoTokens, json) }

    private func expect(_ problem: ConnectionCredentials.Problem, _ json: String) throws {
        let payload = try payload(json)
        #expect(throws: problem) { try ConnectionCredentials.token(in: payload) }
        #expect(ConnectionCredentials.areGiven(in: payload))
        #expect(problem.reason.contains(#""accessToken""#))
        #expect(CloseReason.invalidMessage(problem.reason).text == problem.reason, "It fits a close frame.")
    }
}
