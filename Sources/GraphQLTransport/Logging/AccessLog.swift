import Logging

/// The log entries of requests.
public enum AccessLog {
    public enum Verbosity: String, Sendable, CaseIterable {
        /// Every request.
        case all
        /// Requests that were refused or failed, or whose response has errors. The others are only counted by the
        /// metrics.
        case problems
    }

    /// The level of a request's entry; nil where the request is not logged.
    static func level(status: Int, outcome: OperationOutcome?, verbosity: Verbosity) -> Logger.Level? {
        if status >= 500 || outcome == .failed { return .error }
        if status >= 400 || outcome == .refused || outcome == .partial { return .info }
        return verbosity == .all ? .info : nil
    }

    /// The fields of a request's entry. They never include the value of a variable, a header with a secret, or the
    /// query string of the request's URL.
    static func metadata(
        _ head: RequestHead, status: Int, duration: Duration, _ operation: OperationSummary?
    ) -> Logger.Metadata {
        let (seconds, attoseconds) = duration.components
        var metadata: Logger.Metadata = [
            "method": "\(head.method.rawValue.prefix(16))",
            "path": "\(head.path.prefix(256))",
            "status": .stringConvertible(status),
            "duration_us": .stringConvertible(Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)),
            "client": "\(head.clientAddress)",
            "request_id": "\(head.requestID)",
        ]
        if let trace = head.traceContext {
            metadata["trace_id"] = "\(trace.traceID)"
            metadata["parent_span_id"] = "\(trace.parentID)"
        }
        guard let operation else { return metadata }
        if let observer = operation.observer { metadata.merge(observer.logMetadata) { _, own in own } }
        metadata["outcome"] = "\(operation.outcome)"
        if let type = operation.type { metadata["operation_type"] = "\(type.rawValue)" }
        if let name = operation.name { metadata["operation"] = "\(name.prefix(100))" }
        if let hash = operation.documentHash { metadata["document"] = "\(hash)" }
        if !operation.errorCodes.isEmpty {
            metadata["error_codes"] = "\(operation.errorCodes.prefix(10).joined(separator: ","))"
        }
        return metadata
    }
}
