import Foundation
import TertuliaClient

/// A transport that answers each request with a feed of rows, and sends changes of the feed.
actor ScriptedServer: Transport {
    private let rows: Int
    private var sockets: [ScriptedSocket] = []

    init(rows: Int) { self.rows = rows }

    static func position(_ number: Int) -> String { String("00000000\(number)".suffix(8)) }

    static func row(_ number: Int, likes: Int) -> String {
        """
        {"__typename":"Thought","id":"thought_\(number)","author":{"__typename":"User","id":"user_\(number % 100)",\
        "displayName":"Person \(number % 100)"},"text":"The text of number \(number), about as long as a short one is.",\
        "likeCount":\(likes)}
        """
    }

    func send(_ request: HTTPRequest) async throws -> HTTPAnswer {
        let edges = (0..<rows).map { number in
            #"{"cursor":"\#(number)","position":"\#(Self.position(10 * number))","node":\#(Self.row(number, likes: 0))}"#
        }
        let body = """
            {"data":{"changeCursor":"0","feed":{"edges":[\(edges.joined(separator: ","))],\
            "pageInfo":{"hasNextPage":false,"endCursor":"\(rows)"}}}}
            """
        return HTTPAnswer(status: 200, body: Array(body.utf8))
    }

    func connect(to url: URL, protocol name: String) async throws -> any TransportSocket {
        let socket = ScriptedSocket()
        sockets.append(socket)
        return socket
    }

    func tell(_ change: String) { for socket in sockets { socket.tell(change) } }
}

final class ScriptedSocket: TransportSocket {
    let messages: AsyncThrowingStream<String, any Error>
    private let incoming: AsyncThrowingStream<String, any Error>.Continuation

    init() { (messages, incoming) = AsyncThrowingStream.makeStream(of: String.self, throwing: (any Error).self) }

    func send(_ text: String) async throws {
        if text.contains("connection_init") { incoming.yield(#"{"type":"connection_ack"}"#) }
    }

    func close() async { incoming.finish() }

    func tell(_ change: String) {
        incoming.yield(#"{"id":"1","type":"next","payload":{"data":{"feedChanges":\#(change)}}}"#)
    }
}
