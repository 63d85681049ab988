/// Sends a request again, a second later, while the server answers TIMEOUT, UNAVAILABLE or OVERLOADED, as it may on a
/// busy machine. A mutation needs a `clientMutationId`: after a TIMEOUT it may have been done.
///
/// - Parameter body: the GraphQL response of an answer.
/// - Returns: the first other answer, or the last of five minutes.
public func retrying<Answer>(
    _ send: () async throws -> Answer, body: (Answer) -> String
) async throws -> Answer {
    let end = ContinuousClock.now + .seconds(300)
    while true {
        let answer = try await send()
        let isRefused = body(answer).firstMatch(of: /"code":"(TIMEOUT|UNAVAILABLE|OVERLOADED)"/) != nil
        if !isRefused || .now >= end { return answer }
        try await Task.sleep(for: .seconds(1))
    }
}
