import App
import GraphQLTransport

/// The header that keeps a session from missing its own writes on a standby: docs/requests.md, "Reads on standbys".
enum PositionField {
    static let name = "Tertulia-Position"

    /// The position that a client brings; nil for an operation of a WebSocket, whose head is older than its writes.
    static func value(in head: RequestHead) -> String? { head.socket == nil ? head[name] : nil }

    static func headers(of context: App.RequestContext) -> [(name: String, value: String)] {
        context.positionOfWrites.map { [(name: name, value: $0)] } ?? []
    }
}
