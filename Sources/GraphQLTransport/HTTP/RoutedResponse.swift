import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// The framing and status of a response that Hummingbird's router gives part by part, and the encoding of the parts.
struct RoutedResponse {
    private(set) var framing = ResponseFraming.none
    private(set) var status = HTTPResponseStatus.ok

    mutating func begin(_ response: HTTPResponse, to head: RequestHead) {
        framing = ResponseFraming(of: response, to: head)
        status = response.httpStatus
    }

    /// - Returns: nil where there is nothing to send.
    func encode(
        _ part: HTTPResponsePart, to head: RequestHead, _ responses: ResponseEncoder, closes: Bool
    ) -> ByteBuffer? {
        switch part {
        case .head(let response) where response.status.kind == .informational:
            responses.encodeInformational(response)
        case .head(let response): responses.encodeHead(response, framing, to: head, closes: closes)
        case .body(let bytes): framing.encode(bytes)
        case .end: framing.end
        }
    }
}
