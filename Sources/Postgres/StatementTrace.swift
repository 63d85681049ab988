/// Is told of the segments that a task and its child tasks send. Without a trace a segment costs one lookup of a
/// task-local value.
public struct StatementTrace: Sendable {
    @TaskLocal public static var current: StatementTrace?

    private let ended: @Sendable (TracedSegment) -> Void

    /// - Parameter ended: called on any thread when a segment's outcome is known, before its caller resumes.
    public init(ended: @escaping @Sendable (TracedSegment) -> Void) { self.ended = ended }

    func began(_ source: SegmentSource) -> Running {
        Running(trace: self, source: source, startedAt: .now)
    }

    /// A segment that has been handed to the pool.
    struct Running {
        let trace: StatementTrace
        let source: SegmentSource
        let startedAt: ContinuousClock.Instant

        /// - Parameter rows: nil for a segment that failed.
        func end(rows: Int?) {
            trace.ended(TracedSegment(name: source.name, rows: rows, startedAt: startedAt, endedAt: .now))
        }
    }
}

/// A segment as a trace sees it: neither its text nor its values.
public struct TracedSegment: Sendable {
    /// The name of the statement's type, or of the type that put the segment together.
    public let name: String
    /// The number of rows that the statements returned or affected; nil for a segment that failed.
    public let rows: Int?
    public let startedAt: ContinuousClock.Instant
    /// When its answer had been read, or its wait had ended.
    public let endedAt: ContinuousClock.Instant
}

/// The origin of a segment, for its name in traces and errors.
public enum SegmentSource: Sendable {
    case type(Any.Type)
    /// `#fileID` of the code that put the segment together. A type lives in the file of its name.
    case file(StaticString)

    /// A number of its own.
    var kind: Int {
        switch self {
        case .type(let type): Int(bitPattern: ObjectIdentifier(type))
        case .file(let file): Int(bitPattern: file.utf8Start)
        }
    }

    var name: String {
        switch self {
        case .type(let type): String(describing: type)
        case .file(let file): String("\(file)".split(separator: "/").last?.split(separator: ".").first ?? "")
        }
    }
}
