import HTTPTypes
import Hummingbird
import NIOCore

/// The routes for orchestration, monitoring and tools.
struct OperationalRoutes {
    /// The paths that are answered even beyond the limits of connections.
    static let probes = ["/healthz", "/readyz"]

    /// The metrics for `/metrics`; nil where this server does not serve them.
    let metrics: MetricRegistry?
    let schemaDocument: String?
    let readiness: @Sendable () async -> Readiness

    func add(to router: Router<BasicRequestContext>) {
        router.get("healthz") { _, _ in plain("ok\n") }
        router.get("readyz") { [readiness] _, _ in
            switch await readiness() {
            case .ready: plain("ready\n")
            case .readsOnly: plain("reads only\n")
            case .notReady(let reason): plain("not ready: \(reason)\n", status: .serviceUnavailable)
            }
        }
        if let metrics { Self.add(metrics, to: router) }
        guard let schemaDocument else { return }
        router.get("schema.graphql") { _, _ in plain(schemaDocument, type: "application/graphql; charset=utf-8") }
    }

    static func add(_ metrics: MetricRegistry, to router: Router<BasicRequestContext>) {
        router.get("metrics") { _, _ in plain(metrics.text, type: "text/plain; version=0.0.4; charset=utf-8") }
    }
}

private func plain(
    _ text: String, type: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok
) -> Response {
    Response(status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
}
