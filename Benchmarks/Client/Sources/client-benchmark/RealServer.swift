import Foundation
import TertuliaClient
import TertuliaClientNIO

/// Measures how long a change needs from a writer to an observer, through a server that runs.
struct RealServer {
    private let url: URL
    private let transport = NIOTransport()

    init(_ url: URL) { self.url = url }

    /// Writes ten thoughts a second, and prints the times until the client's live list shows them.
    func measure(in folder: URL, seconds: Int) async throws {
        let client = try await Client(
            url: url, transport: transport, credentials: NoCredentials(), folder: folder, schema: .generated)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let seen = Seen()
        let watching = Task {
            for try await feed in list.values {
                await seen.take(feed.phase == .live, feed.rows.first?.asThought.flatMap { Int($0.text) })
            }
        }
        while await !seen.isLive { try await Task.sleep(for: .milliseconds(5)) }
        let token = try await signUp()
        var sinceRequest: [Duration] = []
        var sinceAnswer: [Duration] = []
        let start = ContinuousClock.now
        for number in 1...10 * seconds {
            try await Task.sleep(until: start.advanced(by: .milliseconds(100 * number)), clock: .continuous)
            let sent = ContinuousClock.now
            async let answered = write(number, token)
            while await seen.number != number { try await Task.sleep(for: .microseconds(200)) }
            let shown = ContinuousClock.now
            sinceRequest.append(shown - sent)
            sinceAnswer.append(shown - (try await answered))
        }
        Self.report("from the request of the write", sinceRequest)
        Self.report("from the answer of the write, which comes after the commit", sinceAnswer)
        watching.cancel()
        await client.close()
    }

    private static func report(_ name: String, _ times: [Duration]) {
        let times = times.sorted()
        print(
            "\(name): \(times[times.count / 2]) (median), \(times[times.count * 99 / 100]) (99 %), \(times[times.count - 1])"
        )
    }

    private func signUp() async throws -> String {
        let name = "writer\(UInt32.random(in: 0 ... .max))"
        let text = try await answer(
            "mutation { signUp(input: {username: \"\(name)\", email: \"\(name)@example.org\", password: \"a quiet evening\"}) { accessToken } }",
            [])
        guard let token = text.firstMatch(of: /"accessToken":"([^"]+)"/) else { throw TransportError(text) }
        return String(token.output.1)
    }

    /// - Returns: when the answer had come.
    private func write(_ number: Int, _ token: String) async throws -> ContinuousClock.Instant {
        let text = try await answer(
            "mutation { createThought(input: {category: FUNNY, text: \"\(number)\"}) { thought { id } } }",
            [("Authorization", "Bearer \(token)")])
        let now = ContinuousClock.now
        guard text.contains("\"id\"") else { throw TransportError(text) }
        return now
    }

    private func answer(_ query: String, _ headers: [(name: String, value: String)]) async throws -> String {
        let body = try JSONSerialization.data(withJSONObject: ["query": query])
        let answer = try await transport.send(
            HTTPRequest(url: url, headers: [("Content-Type", "application/json")] + headers, body: Array(body)))
        return String(decoding: answer.body, as: UTF8.self)
    }
}
