import AsyncHTTPClient
import Foundation
import NIOCore
import TertuliaClient

/// Requests through AsyncHTTPClient and sockets through SwiftNIO, for Linux and for tests.
public struct NIOTransport: Transport {
    private let client: HTTPClient
    private let timeout: Duration
    private let maximumAnswer: Int

    /// - Parameters:
    ///   - client: has the connections and the event loops.
    ///   - timeout: from the beginning of a request to the end of its answer, and for the opening of a WebSocket.
    ///   - maximumAnswer: in bytes.
    public init(client: HTTPClient = .shared, timeout: Duration = .seconds(30), maximumAnswer: Int = 16 << 20) {
        self.client = client
        self.timeout = timeout
        self.maximumAnswer = maximumAnswer
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = .POST
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        outgoing.body = .bytes(request.body)
        do {
            return try await answer(to: outgoing)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw TransportError("\(error)")
        }
    }

    /// Reads the answer and watches the clock beside it: the client's own limit ends with the answer's head.
    private func answer(to request: HTTPClientRequest) async throws -> HTTPAnswer {
        try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
            group.addTask {
                let response = try await client.execute(request, timeout: TimeAmount(timeout))
                let body = try await response.body.collect(upTo: maximumAnswer)
                return HTTPAnswer(
                    status: Int(response.status.code),
                    retryAfter: response.headers.first(name: "Retry-After").flatMap(Double.init),
                    body: Array(body.readableBytesView))
            }
            group.addTask {
                try await Task.sleep(for: timeout)
                throw TransportError("The answer did not end within \(timeout).")
            }
            defer { group.cancelAll() }
            guard let answer = try await group.next() else { throw CancellationError() }
            return answer
        }
    }

    public func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        do {
            return try await NIOSocket.connect(
                to: url, protocol: name, on: client.eventLoopGroup, timeout: TimeAmount(timeout))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw TransportError("\(error)")
        }
    }
}
