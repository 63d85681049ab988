import Cryptography
import Tracing
import W3CTraceContext

/// The IDs of a span.
/// OpenTelemetry specification, Trace API, "SpanContext"
public struct SpanIdentity: Sendable, Equatable {
    /// 32 hexadecimal digits.
    public let traceID: String
    /// 16 hexadecimal digits.
    public let spanID: String

    init(traceID: String, spanID: String) { (self.traceID, self.spanID) = (traceID, spanID) }

    /// The caller's span.
    public init(_ caller: TraceContext) { self.init(traceID: caller.traceID, spanID: caller.parentID) }

    /// The IDs of a new span.
    /// - Parameter parent: nil for the first span of a trace.
    public init(childOf parent: SpanIdentity?) {
        traceID = parent?.traceID ?? Self.random(bytes: 16)
        spanID = Self.random(bytes: 8)
    }

    private static func random(bytes count: Int) -> String {
        while true {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
            // An ID of zeros is invalid.
            if bytes.contains(where: { $0 != 0 }) { return Hex.encode(bytes) }
        }
    }
}

private enum SpanIdentityKey: InstrumentationContextKey {
    typealias Value = SpanIdentity
}

extension InstrumentationContext {
    /// The span that further spans belong to.
    public var span: SpanIdentity? {
        get { self[SpanIdentityKey.self] }
        set { self[SpanIdentityKey.self] = newValue }
    }
}
