import GraphQLTransport
import NIOCore
import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct ChunkFramingTests {
    private func read(_ text: String, by step: Int = .max, _ framing: inout ChunkFraming) -> ChunkFraming.Outcome {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, step == .max ? bytes.count : start + step)
            let outcome = bytes[start..<end].withUnsafeBytes { framing.read($0) }
            switch outcome {
            case .more: start = end
            case .end(let count): return .end(start + count)
            case .tooManyExtensions: return outcome
            }
        }
        return .more
    }

    @Test(arguments: [1, 2, 3, 7, Int.max])
    func findsTheEndHoweverTheBytesAreCut(_ step: Int) {
        let bodies = [
            "0\r\n\r\n", "5\r\nhello\r\n0\r\n\r\n", "A;a=b\r\n0\r\n\r\n12345\r\n000;x\r\n\r\n",
            "1\r\nx\r\n0\r\nTrailer: a\r\nOther: b\r\n\r\n",
        ]
        for body in bodies {
            var framing = ChunkFraming(HTTPLimits())
            #expect(read(body + "GET / HTTP/1.1\r\n", by: step, &framing) == .end(body.utf8.count))
        }
    }

    @Test func boundsTheExtensionsOfAChunk() {
        for (count, outcome) in [(4_096, ChunkFraming.Outcome.more), (4_097, .tooManyExtensions)] {
            var framing = ChunkFraming(HTTPLimits())
            #expect(read("1;" + String(repeating: "x", count: count - 1) + "\r\n", &framing) == outcome)
            // Zeros before the size are no more use.
            framing = ChunkFraming(HTTPLimits())
            #expect(read(String(repeating: "0", count: 15 + count) + "1\r\n", &framing) == outcome)
        }
    }

    @Test func boundsTheExtensionsOfABody() {
        let chunk = "1;" + String(repeating: "x", count: 1_023) + "\r\ny\r\n"
        var framing = ChunkFraming(HTTPLimits())
        #expect(read(String(repeating: chunk, count: 16), &framing) == .more)
        #expect(read("1;", &framing) == .tooManyExtensions)
        // A body in chunks of one byte has none.
        framing = ChunkFraming(HTTPLimits())
        #expect(read(String(repeating: "1\r\ny\r\n", count: 100_000), &framing) == .more)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct HeadEndTests {
    @Test(arguments: [1, 2, 3, 5, 1_000])
    func findsTheBlankLineHoweverTheBytesAreCut(_ step: Int) {
        for head in ["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\r\n\r\n", "a\r\n\rb\r\n\r\n", "\r\n\r\n"] {
            let bytes = Array((head + "rest\r\n").utf8)
            var end = HeadEnd()
            var found: Int?
            for start in stride(from: 0, to: bytes.count, by: step) where found == nil {
                let part = ByteBuffer(bytes: bytes[start..<min(start + step, bytes.count)])
                found = end.find(in: part.readableBytesView).map { start + $0 }
            }
            #expect(found == head.utf8.count, "\(head.debugDescription)")
        }
    }
}

@Suite(.timeLimit(.minutes(10)))
struct RequestFramingTests {
    private let head = "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    private let query = #"{"query":"{ __typename }"}"#

    private func chunk(_ text: String, _ extensions: String = "") -> String {
        "\(String(text.utf8.count, radix: 16))\(extensions)\r\n\(text)\r\n"
    }

    @Test(arguments: ["gzip, chunked", "gzip", "identity", "cow", "x-chunked"])
    func onlyChunkedIsImplemented(_ coding: String) async throws {
        try await TestServer.run { (server) async throws in
            for target in ["POST /graphql", "GET /healthz"] {
                try await server.connect { (connection) async throws in
                    try await connection.write(
                        "\(target) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            + "Transfer-Encoding: \(coding)\r\n\r\n" + chunk(query) + "0\r\n\r\n")
                    let reply = try await connection.reply()
                    #expect(reply.status == 501)
                    #expect(reply["Connection"] == "close")
                    #expect(await connection.rest() == "")
                }
            }
        }
    }

    @Test(arguments: ["chunked", "Chunked", "CHUNKED"])
    func chunkedBodiesAreReadInOnePieceOrByteByByte(_ coding: String) async throws {
        try await TestServer.run { (server) async throws in
            let body = chunk(String(query.prefix(5)), ";a=b") + chunk(String(query.dropFirst(5))) + "0\r\n\r\n"
            let request = head + "Transfer-Encoding: \(coding)\r\n\r\n" + body
            try await server.connect { (connection) async throws in
                try await connection.write(request + request)
                for character in request { try await connection.write(String(character)) }
                for _ in 0..<3 { #expect(try await connection.reply().data?["__typename"] == .string("Query")) }
            }
        }
    }

    @Test func extensionsAreBounded() async throws {
        try await TestServer.run { (server) async throws in
            let long = ";" + String(repeating: "x", count: 5_000)
            let shorter = ";" + String(repeating: "x", count: 3_000)
            let space = String(repeating: " ", count: 100)
            for body in [
                chunk(query, long), chunk(query) + "0" + long, String(repeating: chunk(space, shorter), count: 6),
            ] {
                // In one piece, and behind a head and a request that are in order.
                let request = head + "Transfer-Encoding: chunked\r\n\r\n" + body
                let before = head + "Content-Length: \(query.utf8.count)\r\n\r\n\(query)"
                try await server.connect { (connection) async throws in
                    try await connection.write(before)
                    #expect(try await connection.reply().status == 200)
                    try await connection.write(request)
                    let reply = try await connection.reply()
                    #expect(reply.status == 400)
                    #expect(reply.messages == ["The extensions of the body's chunks are too long."])
                    #expect(await connection.rest() == "")
                }
            }
        }
    }
}
