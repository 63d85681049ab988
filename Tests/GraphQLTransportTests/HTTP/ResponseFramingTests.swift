import HTTPTypes
import NIOCore
import NIOHTTP1
import Testing

@testable import GraphQLTransport

/// RFC 9112, 6.3 Message Body Length
struct ResponseFramingTests {
    private func head(_ method: HTTPMethod, _ version: HTTPVersion = .http1_1) -> RequestHead {
        RequestHead(
            HTTPRequestHead(version: version, method: method, uri: "/"), peerAddress: "10.0.0.1",
            proxies: TrustedProxies())
    }

    private func response(
        _ status: HTTPResponse.Status = .ok, length: String? = nil
    ) -> HTTPResponse {
        var response = HTTPResponse(status: status)
        response.headerFields[.contentLength] = length
        return response
    }

    @Test func followsFromTheRequestAndTheHead() {
        #expect(ResponseFraming(of: response(length: "2"), to: head(.GET)) == .length)
        #expect(ResponseFraming(of: response(), to: head(.GET)) == .chunked)
        #expect(ResponseFraming(of: response(), to: head(.GET, .http1_0)) == .close)
        #expect(ResponseFraming(of: response(length: "2"), to: head(.HEAD)) == .none)
        #expect(ResponseFraming(of: response(.noContent), to: head(.GET)) == .none)
        #expect(ResponseFraming(of: response(.notModified, length: "2"), to: head(.GET)) == .none)
    }

    @Test func framesChunks() {
        let part = ByteBuffer(string: "0123456789abcdef")
        #expect(ResponseFraming.chunked.encode(part) == ByteBuffer(string: "10\r\n0123456789abcdef\r\n"))
        #expect(ResponseFraming.chunked.encode(ByteBuffer()) == nil, "It would be the last chunk.")
        #expect(ResponseFraming.chunked.end == ByteBuffer(string: "0\r\n\r\n"))
    }

    @Test func leavesOtherBodiesAsTheyAre() {
        let part = ByteBuffer(string: "ok")
        for framing in [ResponseFraming.length, .close] {
            #expect(framing.encode(part) == part)
            #expect(framing.end == nil)
        }
        #expect(ResponseFraming.none.encode(part) == nil)
        #expect(ResponseFraming.none.end == nil)
    }
}
