import Synchronization

/// The metrics of a server, and their text for Prometheus. A metric is registered once; the caller keeps the returned
/// object and counts with it.
public final class MetricRegistry: Sendable {
    public typealias Labels = [(name: String, value: String)]
    /// A metric of a family whose members are known only when they are read.
    public typealias Member = (labels: Labels, value: Double)

    private enum Source {
        case counter(Counter)
        case gauge(Gauge)
        case observed(@Sendable () -> Double)
        case observedMembers(@Sendable () -> [Member])
        case histogram(Histogram)
        case observedHistogram(bounds: [Double], @Sendable () -> (counts: [Int], sum: Double))
    }

    private struct Family {
        let name: String
        let help: String
        let kind: String
        var members: [(labels: Labels, source: Source)]
    }

    private let families = Mutex<[Family]>([])

    public init() {}

    public func counter(_ name: String, help: String, labels: Labels = []) -> Counter {
        let counter = Counter()
        add(name, help, "counter", labels, .counter(counter))
        return counter
    }

    public func gauge(_ name: String, help: String, labels: Labels = []) -> Gauge {
        let gauge = Gauge()
        add(name, help, "gauge", labels, .gauge(gauge))
        return gauge
    }

    /// Registers a gauge whose value `read` returns whenever the metrics are read. `read` must not block.
    public func gauge(_ name: String, help: String, labels: Labels = [], read: @escaping @Sendable () -> Double) {
        add(name, help, "gauge", labels, .observed(read))
    }

    /// Registers a counter whose value `read` returns whenever the metrics are read. `read` must not block.
    public func counter(_ name: String, help: String, labels: Labels = [], read: @escaping @Sendable () -> Double) {
        add(name, help, "counter", labels, .observed(read))
    }

    /// Registers counters that `members` returns whenever the metrics are read. `members` must not block.
    public func counters(_ name: String, help: String, members: @escaping @Sendable () -> [Member]) {
        add(name, help, "counter", [], .observedMembers(members))
    }

    /// Registers gauges that `members` returns whenever the metrics are read. `members` must not block.
    public func gauges(_ name: String, help: String, members: @escaping @Sendable () -> [Member]) {
        add(name, help, "gauge", [], .observedMembers(members))
    }

    public func histogram(
        _ name: String, help: String, labels: Labels = [], bounds: [Double] = Histogram.requestDurations
    ) -> Histogram {
        let histogram = Histogram(bounds: bounds)
        add(name, help, "histogram", labels, .histogram(histogram))
        return histogram
    }

    /// Registers a histogram that `read` returns whenever the metrics are read: the number of observations in each
    /// bucket, the last one without a bound, and the sum of all. `read` must not block.
    public func histogram(
        _ name: String, help: String, labels: Labels = [], bounds: [Double],
        read: @escaping @Sendable () -> (counts: [Int], sum: Double)
    ) {
        add(name, help, "histogram", labels, .observedHistogram(bounds: bounds, read))
    }

    private func add(_ name: String, _ help: String, _ kind: String, _ labels: Labels, _ source: sending Source) {
        families.withLock { families in
            if let index = families.firstIndex(where: { $0.name == name }) {
                families[index].members.append((labels, source))
            } else {
                families.append(Family(name: name, help: help, kind: kind, members: [(labels, source)]))
            }
        }
    }

    /// Prometheus text exposition format, version 0.0.4
    public var text: String {
        let families = families.withLock { $0 }
        var text = ""
        for family in families {
            text += "# HELP \(family.name) \(escapedHelp(family.help))\n# TYPE \(family.name) \(family.kind)\n"
            for (labels, source) in family.members { text += lines(family.name, labels, source) }
        }
        return text
    }

    private func lines(_ name: String, _ labels: Labels, _ source: Source) -> String {
        switch source {
        case .counter(let counter): return "\(name)\(formatted(labels)) \(counter.current)\n"
        case .gauge(let gauge): return "\(name)\(formatted(labels)) \(gauge.current)\n"
        case .observed(let read): return "\(name)\(formatted(labels)) \(formatted(read()))\n"
        case .observedMembers(let read):
            return read().map { "\(name)\(formatted($0.labels)) \(formatted($0.value))\n" }.joined()
        case .histogram(let histogram):
            return lines(name, labels, histogram.bounds, histogram.cumulativeCounts, sum: histogram.sum)
        case .observedHistogram(let bounds, let read):
            let (counts, sum) = read()
            var cumulative: [Int] = []
            for count in counts { cumulative.append(count + (cumulative.last ?? 0)) }
            return lines(name, labels, bounds, cumulative, sum: sum)
        }
    }

    private func lines(
        _ name: String, _ labels: Labels, _ bounds: [Double], _ cumulativeCounts: [Int], sum: Double
    ) -> String {
        var text = ""
        for (bound, count) in zip(bounds.map(formatted) + ["+Inf"], cumulativeCounts) {
            text += "\(name)_bucket\(formatted(labels + [("le", bound)])) \(count)\n"
        }
        text += "\(name)_sum\(formatted(labels)) \(formatted(sum))\n"
        return text + "\(name)_count\(formatted(labels)) \(cumulativeCounts.last ?? 0)\n"
    }

    private func formatted(_ labels: Labels) -> String {
        if labels.isEmpty { return "" }
        return "{" + labels.map { "\($0.name)=\"\(escapedLabel($0.value))\"" }.joined(separator: ",") + "}"
    }

    private func formatted(_ number: Double) -> String {
        if number == number.rounded(), abs(number) < 1e15 { return String(Int(number)) }
        if number.isNaN { return "NaN" }
        return number.isInfinite ? (number < 0 ? "-Inf" : "+Inf") : number.description
    }
}

private func escapedHelp(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
        switch character {
        case "\\": escaped += "\\\\"
        case "\n": escaped += "\\n"
        default: escaped.append(character)
        }
    }
}

private func escapedLabel(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
        switch character {
        case "\\": escaped += "\\\\"
        case "\n": escaped += "\\n"
        case "\"": escaped += "\\\""
        default: escaped.append(character)
        }
    }
}
