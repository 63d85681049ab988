/// A callback that gets the segments of a task and its child tasks. Without a trace, a segment costs one look-up of a
/// task-local value.
public struct StatementTrace: Sendable {
    @TaskLocal public static var current: StatementTrace?

    private let ended: @Sendable (TracedSegment) -> Void

    /// - Parameters:
    ///   - outer: a trace that gets the same segments.
    ///   - ended: called on any thread when a segment's outcome is known, before its caller resumes.
    public init(inside outer: StatementTrace? = nil, ended: @escaping @Sendable (TracedSegment) -> Void) {
        guard let outer else {
            self.ended = ended
            return
        }
        self.ended = { segment in
            outer.ended(segment)
            ended(segment)
        }
    }

    /// - Parameters:
    ///   - source: what the segment is named after.
    ///   - uncountedRows: the number of rows that are the pool's own, and none of the caller's result.
    func began(_ source: SegmentSource, uncountedRows: Int = 0) -> Running {
        Running(trace: self, source: source, uncountedRows: uncountedRows, startedAt: .now)
    }

    /// A segment that has been handed to the pool.
    struct Running {
        let trace: StatementTrace
        let source: SegmentSource
        let uncountedRows: Int
        let startedAt: ContinuousClock.Instant

        /// - Parameter rows: nil for a segment that failed.
        func end(rows: Int?) {
            trace.ended(
                TracedSegment(
                    source: source, rows: rows.map { $0 - uncountedRows }, startedAt: startedAt, endedAt: .now))
        }
    }
}

/// A segment as a trace sees it: neither its text nor its values.
public struct TracedSegment: Sendable {
    private let source: SegmentSource
    /// The number of rows that the statements returned or affected; nil for a segment that failed.
    public let rows: Int?
    public let startedAt: ContinuousClock.Instant
    /// When the answer had been read, or the segment had failed.
    public let endedAt: ContinuousClock.Instant

    init(
        source: SegmentSource, rows: Int?, startedAt: ContinuousClock.Instant, endedAt: ContinuousClock.Instant
    ) {
        (self.source, self.rows, self.startedAt, self.endedAt) = (source, rows, startedAt, endedAt)
    }

    /// The name of the statement's type, or of the type that put the segment together. It is made at each call, since
    /// most segments are never named.
    public var name: String { source.name }

    public var duration: Duration { startedAt.duration(to: endedAt) }
}

/// The code that a segment comes from. It gives the segment its name in a trace, and its kind.
public enum SegmentSource: Sendable {
    case type(Any.Type)
    /// `#fileID` of the code that put the segment together. Files are named after their types, so the file's name
    /// serves as the type's.
    case file(StaticString)

    /// A number that only segments of the same type or file share.
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
