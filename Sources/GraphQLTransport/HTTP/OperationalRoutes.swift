import HTTPTypes
import Hummingbird
import NIOCore

/// What orchestration, monitoring and tools ask of a server.
struct OperationalRoutes {
    let metrics: MetricRegistry
    let schemaDocument: String?
    let isReady: @Sendable () async -> Bool

    func add(to router: Router<BasicRequestContext>) {
        router.get("healthz") { _, _ in plain("ok\n") }
        router.get("readyz") { [isReady] _, _ in
            await isReady() ? plain("ready\n") : plain("not ready\n", status: .serviceUnavailable)
        }
        router.get("metrics") { [metrics] _, _ in
            plain(metrics.text, type: "text/plain; version=0.0.4; charset=utf-8")
        }
        guard let schemaDocument else { return }
        router.get("schema.graphql") { _, _ in plain(schemaDocument, type: "application/graphql; charset=utf-8") }
    }
}

private func plain(
    _ text: String, type: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok
) -> Response {
    Response(status: status, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
}
