import GraphQLTransport
import NIOCore
import Testing

/// A client's patience is not the server's.
@Suite(.timeLimit(.minutes(10)))
struct DeadlinesTests {
    @Test func endsAHeadThatComesTooSlowly() async throws {
        try await TestServer.run {
            $0.settings.limits.headerTimeout = .seconds(1)
        } _: { (server) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write("POST /graphql HTTP/1.1\r\nHost: ")
                #expect(await connection.rest().hasPrefix("HTTP/1.1 408"))
            }
        }
    }

    @Test func endsABodyThatComesTooSlowly() async throws {
        try await TestServer.run {
            $0.settings.limits.bodyTimeout = .seconds(1)
        } _: { (server) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write(
                    "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
                )
                #expect(await connection.rest().hasPrefix("HTTP/1.1 408"))
            }
        }
    }

    @Test func endsABodyThatNoRouteReads() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write("POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{")
                #expect(try await connection.reply().status == 404)
                try await clock.pass(.minutes(10))
                #expect(await connection.rest().isEmpty)
            }
        }
    }

    @Test func closesIdleConnections() async throws {
        try await TestServer.runByManualClock { (server, clock) async throws in
            try await server.connect { (connection) async throws in
                try await connection.write("GET /graphql?query=%7Bhello%7D HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try await connection.reply().status == 200)
                try await clock.pass(.minutes(10))
                #expect(await connection.rest().isEmpty)
            }
        }
    }
}
