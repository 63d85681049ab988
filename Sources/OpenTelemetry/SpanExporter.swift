import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import Synchronization

/// Sends ended spans to a collector, in batches, as OTLP over HTTP in JSON.
/// OpenTelemetry Protocol 1.5, "OTLP/HTTP"
public actor SpanExporter {
    /// How spans are sent. `batch` has the default of OpenTelemetry's batch span processor, and `timeout` that of its
    /// OTLP exporter.
    public struct Settings: Sendable {
        public var batch = 512
        public var timeout = Duration.seconds(10)
        /// The number of failed attempts after which `export` gives up a batch. An attempt fails if the collector does
        /// not answer, or answers with a status that asks for another attempt.
        public var attempts = 5
        /// The longest time that `shutdown` takes to send the last spans.
        public var flushLimit = Duration.seconds(2)

        public init() {}
    }

    /// The figures of an exporter since it began.
    public struct Statistics: Sendable, Equatable {
        public var exported = 0
        /// The number of spans that the collector refused, or that could not be encoded.
        public var refused = 0
        /// The number of spans that were given up after the last attempt, or by `shutdown`.
        public var undelivered = 0
    }

    /// The reason why an attempt failed, or why a batch was refused.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private enum Outcome {
        case accepted(rejected: Int)
        case refused(String)
        case away(String)
    }

    private let url: String
    private let resource: OTLP.Resource
    private let queue: SpanQueue
    private let settings: Settings
    /// nil until the first batch is sent. A client has to be shut down before it is released. Because it is made so
    /// late, the exporter of a server that failed to start needs no `shutdown`.
    private var client: HTTPClient?
    private let counted = Mutex(Statistics())
    /// The batch that is being sent, and the number of attempts that have failed.
    private var batch: [FinishedSpan] = []
    private var failures = 0

    /// An exporter that has exported has to be ended by `shutdown`.
    /// - Parameters:
    ///   - queue: the spans that are sent.
    ///   - endpoint: the collector's URL, to which `/v1/traces` is appended.
    ///   - resource: the attributes of this server: `service.name` and others.
    ///   - settings: the sizes and times of sending.
    public init(
        _ queue: SpanQueue, to endpoint: String, resource: [(name: String, value: String)],
        settings: Settings = Settings()
    ) {
        self.queue = queue
        url = (endpoint.last == "/" ? String(endpoint.dropLast()) : endpoint) + "/v1/traces"
        self.resource = OTLP.Resource(resource)
        self.settings = settings
    }

    public nonisolated var statistics: Statistics { counted.withLock { $0 } }

    /// Sends a batch. If the attempt fails, the next call sends the same batch again, until its attempts are used up.
    /// - Returns: whether more spans wait.
    /// - Throws: `Failure`
    public func export() async throws(Failure) -> Bool {
        if batch.isEmpty { (batch, failures) = (queue.take(atMost: settings.batch), 0) }
        if batch.isEmpty { return false }
        switch await send(batch, timeout: settings.timeout) {
        case .accepted(let rejected): settle(rejected: rejected)
        case .refused(let reason):
            settle(rejected: batch.count)
            throw Failure(description: "the spans were refused: \(reason)")
        case .away(let reason):
            failures += 1
            if failures >= settings.attempts { giveUp() }
            throw Failure(description: reason)
        }
        return queue.count > 0
    }

    /// Attempts once to send each batch that is left, for `flushLimit` at most, and closes the connections. The first
    /// batch that is not accepted ends the sending. Spans still in the queue are then lost and not counted.
    public func shutdown() async {
        let deadline = ContinuousClock.now + settings.flushLimit
        while ContinuousClock.now < deadline {
            if batch.isEmpty { batch = queue.take(atMost: settings.batch) }
            if batch.isEmpty { break }
            guard case .accepted(let rejected) = await send(batch, timeout: ContinuousClock.now.duration(to: deadline))
            else {
                giveUp()
                break
            }
            settle(rejected: rejected)
        }
        try? await client?.shutdown()
        client = nil
    }

    private var startedClient: HTTPClient {
        if let client { return client }
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(5)
        // The exporter tries again by itself. If the HTTP client repeated its attempts to connect, a refused
        // connection would only show as a timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        let started = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        client = started
        return started
    }

    private func settle(rejected: Int) {
        counted.withLock { [count = batch.count] statistics in
            statistics.refused += min(rejected, count)
            statistics.exported += max(0, count - rejected)
        }
        batch = []
    }

    private func giveUp() {
        counted.withLock { [count = batch.count] in $0.undelivered += count }
        batch = []
    }

    private func send(_ spans: [FinishedSpan], timeout: Duration) async -> Outcome {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/json")
        request.body = .bytes(ByteBuffer(bytes: OTLP.exportRequest(spans, resource)))
        do {
            let response = try await startedClient.execute(request, timeout: TimeAmount(timeout))
            switch response.status.code {
            case 200..<300:
                // The batch has been accepted even if the rest of the answer cannot be read.
                let answer = try? await response.body.collect(upTo: 1 << 16)
                return .accepted(rejected: answer.map { OTLP.rejectedSpans(Data($0.readableBytesView)) } ?? 0)
            // OTLP 1.5, "Retryable Response Codes"
            case 429, 502, 503, 504: return .away("status \(response.status.code)")
            default: return .refused("status \(response.status.code)")
            }
        } catch {
            return .away("\(error)")
        }
    }
}
