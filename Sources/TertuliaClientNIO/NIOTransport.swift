import AsyncHTTPClient
import Foundation
import NIOCore
import TertuliaClient

/// Requests through AsyncHTTPClient and sockets through SwiftNIO, for Linux and for tests.
public struct NIOTransport: Transport {
    private let client: HTTPClient
    private let timeout: TimeAmount
    private let maximumAnswer: Int

    /// - Parameters:
    ///   - client: has the connections and the event loops.
    ///   - timeout: for a whole request.
    ///   - maximumAnswer: in bytes.
    public init(client: HTTPClient = .shared, timeout: Duration = .seconds(30), maximumAnswer: Int = 16 << 20) {
        self.client = client
        self.timeout = TimeAmount(timeout)
        self.maximumAnswer = maximumAnswer
    }

    public func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        var outgoing = HTTPClientRequest(url: request.url.absoluteString)
        outgoing.method = .POST
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        outgoing.body = .bytes(request.body)
        do {
            let response = try await client.execute(outgoing, timeout: timeout)
            let body = try await response.body.collect(upTo: maximumAnswer)
            return HTTPAnswer(
                status: Int(response.status.code),
                retryAfter: response.headers.first(name: "Retry-After").flatMap(Double.init),
                body: Array(body.readableBytesView))
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw TransportError("\(error)")
        }
    }

    public func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        do {
            return try await NIOSocket.connect(to: url, protocol: name, on: client.eventLoopGroup)
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw TransportError("\(error)")
        }
    }
}
