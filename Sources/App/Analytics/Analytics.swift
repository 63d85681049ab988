import GraphQL
import Postgres

enum AnalyticsInterval: String, InputDecodable, CaseIterable {
    case hour = "HOUR"
    case day = "DAY"
    case week = "WEEK"

    fileprivate var unit: String {
        switch self {
        case .hour: "hour"
        case .day: "day"
        case .week: "week"
        }
    }

    fileprivate var microseconds: Int64 {
        switch self {
        case .hour: 3_600_000_000
        case .day: 86_400_000_000
        case .week: 604_800_000_000
        }
    }
}

/// Usage figures by hour, day or week.
struct Analytics: ObjectValue {
    private static let maximumPoints: Int64 = 1000

    struct Point: ObjectValue {
        let at: Timestamp
        let count: Int64
    }

    private let points: [String: [Point]]

    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("analytics") { _, context -> Pending<[Analytics?]> in
            let from: Timestamp = try context.arguments.decode("from")
            let to: Timestamp = try context.arguments.decode("to")
            let interval: AnalyticsInterval = try context.arguments.decode("interval")
            _ = try context.context.requireViewer()
            guard from.microseconds < to.microseconds else {
                throw ExecutionError("from must be before to.", code: .badUserInput)
            }
            guard (to.microseconds - from.microseconds) / interval.microseconds < maximumPoints else {
                throw ExecutionError("There can be \(maximumPoints) points at most.", code: .badUserInput)
            }
            let figures = UsageFigures(from: from, to: to, unit: interval.unit)
            return context.context.start(figures).pending.map { rows in
                [Analytics(points: Dictionary(grouping: rows, by: \.kind).mapValues { $0.map(\.point) })]
            }
        }
    }

    static let bindings: [Binding] = [
        ObjectBinding<Analytics, RequestContext>("Analytics") { analytics in
            analytics.field("readers") { $0.points["READ"] ?? [] }
            analytics.field("authors") { $0.points["WRITE"] ?? [] }
            analytics.field("signUps") { $0.points["SIGN_UP"] ?? [] }
            analytics.field("ratings") { $0.points["RATING"] ?? [] }
        },
        ObjectBinding<Point, RequestContext>("AnalyticsPoint") { point in
            point.field("at", \.at)
            point.field("count") { Int32(clamping: $0.count) }
        },
    ]
}

/// The function `usage_figures` refuses everyone but administrators with FORBIDDEN.
private struct UsageFigures: Statement {
    struct Output: Sendable {
        let kind: String
        let point: Analytics.Point
    }

    static let lane = Lane.slow

    let from: Timestamp
    let to: Timestamp
    let unit: String

    var sql: SQL { "select kind, at, count from usage_figures(\(from), \(to), \(unit))" }

    func decode(_ row: Row) -> Output {
        Output(kind: row.string(0), point: Analytics.Point(at: row.timestamp(1), count: row.int64(2)))
    }
}
