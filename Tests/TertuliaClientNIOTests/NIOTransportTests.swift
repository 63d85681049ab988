import Foundation
import TertuliaClient
import Testing

@testable import TertuliaClientNIO

@Suite(.timeLimit(.minutes(20))) struct NIOTransportTests {
    /// The time that a call takes until it fails. A server with 20,000 pieces takes 1,000 s at least to come to an
    /// end, and only a call that waits for it takes half of that.
    private func failure(
        of pieces: [String], timeout: Duration = .milliseconds(400),
        _ call: (NIOTransport, SlowServer) async throws -> Void
    ) async throws -> Duration {
        let server = try await SlowServer(pieces: pieces)
        let clock = ContinuousClock()
        let start = clock.now
        await #expect(throws: TransportError.self) {
            try await call(NIOTransport(timeout: timeout), server)
        }
        let duration = clock.now - start
        await server.close()
        return duration
    }

    private func send(_ transport: NIOTransport, _ server: SlowServer) async throws {
        _ = try await transport.send(HTTPRequest(url: try server.url("http"), headers: [], body: []))
    }

    private func connect(_ transport: NIOTransport, _ server: SlowServer) async throws {
        _ = try await transport.connect(to: try server.url("ws"), protocol: "graphql-transport-ws")
    }

    @Test func aServerThatNeverUpgradesIsNotWaitedFor() async throws {
        #expect(try await failure(of: Array(repeating: "", count: 20_000), connect) < .seconds(500))
    }

    /// The connection ends before the limit does.
    @Test func aServerThatClosesInsteadOfUpgradingIsNotWaitedFor() async throws {
        #expect(try await failure(of: [], timeout: .seconds(1_000), connect) < .seconds(500))
        #expect(
            try await failure(of: ["HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"], timeout: .seconds(1_000), connect)
                < .seconds(500))
    }

    @Test func aServerThatNeverAnswersIsNotWaitedFor() async throws {
        #expect(try await failure(of: Array(repeating: "", count: 20_000), send) < .seconds(500))
    }

    @Test func anAnswerThatTricklesIsNotWaitedFor() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n"
        #expect(try await failure(of: [head] + Array(repeating: "x", count: 20_000), send) < .seconds(500))
    }

    /// The server speaks no TLS, so the handshake fails, but only once the server has answered it.
    @Test func aHandshakeNamesNoServerByItsAddress() async throws {
        let server = try await SlowServer(pieces: ["HTTP/1.1 400 Bad Request\r\n\r\n"], closes: false)
        let transport = NIOTransport(timeout: .seconds(1_000))
        let error = await #expect(throws: TransportError.self) {
            _ = try await transport.connect(to: try server.url("wss"), protocol: "graphql-transport-ws")
        }
        #expect(error?.description.contains("WRONG_VERSION_NUMBER") == true, "\(String(describing: error))")
        await server.close()
    }

    @Test func anAnswerInPiecesIsWhole() async throws {
        let pieces = ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", "{", "  ", "}"]
        let server = try await SlowServer(pieces: pieces, closes: false)
        let request = HTTPRequest(url: try server.url("http"), headers: [], body: [])
        let answer = try await NIOTransport(timeout: .seconds(1_000)).send(request)
        #expect(answer.status == 200)
        #expect(answer.body == Array("{  }".utf8))
        await server.close()
    }

    @Test(arguments: [
        ("ws://example.org", "example.org", "/"),
        ("wss://example.org:8443?x=1", "example.org:8443", "/?x=1"),
        ("ws://example.org/a%2Fb%20c/graphql/?x=%26y+z", "example.org", "/a%2Fb%20c/graphql/?x=%26y+z"),
        ("ws://[::1]:8080/graphql", "[::1]:8080", "/graphql"),
    ])
    func aWebSocketIsAskedForAsItsURLIsWritten(_ url: String, _ host: String, _ path: String) throws {
        let target = WebSocketTarget(try #require(URL(string: url)))
        #expect(target.host == host)
        #expect(target.path == path)
    }
}
