/// The metrics of sockets, streams and subscriptions.
final class StreamMetrics: Sendable {
    let sockets: Gauge
    let eventStreams: Gauge
    let subscriptions: Gauge
    let events: Counter
    let stalls: Counter

    init(_ metrics: MetricRegistry) {
        sockets = metrics.gauge("graphql_open_sockets", help: "Open WebSocket connections.")
        eventStreams = metrics.gauge("graphql_open_event_streams", help: "Open SSE and multipart responses.")
        subscriptions = metrics.gauge("graphql_open_subscriptions", help: "Subscriptions under way.")
        events = metrics.counter("graphql_events_total", help: "Responses of subscriptions.")
        stalls = metrics.counter(
            "graphql_stalled_subscriptions_total",
            help: "Subscriptions and operations with @defer or @stream that ended because their client did not read.")
    }
}
