/// A path with named segments, such as `thoughts/{thought}/comments/{comment}`.
struct PathPattern: Hashable, CustomStringConvertible {
    enum Segment: Hashable {
        case literal(String)
        /// Any one segment; templates refer to it by this name.
        case variable(String)
    }

    let description: String
    let segments: [Segment]

    /// nil for an empty path, an empty segment, an empty name, and a name that occurs twice.
    init?(_ text: String) {
        description = text
        var names: Set<String> = []
        var segments: [Segment] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false) {
            guard !part.isEmpty else { return nil }
            if part.hasPrefix("{"), part.hasSuffix("}") {
                let name = String(part.dropFirst().dropLast())
                guard !name.isEmpty, names.insert(name).inserted else { return nil }
                segments.append(.variable(name))
            } else {
                segments.append(.literal(String(part)))
            }
        }
        self.segments = segments
    }

    var variables: Set<String> {
        Set(
            segments.compactMap { segment -> String? in
                if case .variable(let name) = segment { name } else { nil }
            })
    }

    /// The values of the named segments in a path that the pattern matches; nil for another path.
    func match(_ path: [String]) -> [String: String]? {
        guard path.count == segments.count, begins(path) else { return nil }
        var named: [String: String] = [:]
        for case (.variable(let name), let value) in zip(segments, path) { named[name] = value }
        return named
    }

    /// True if the path is one that the pattern matches, or the beginning of one.
    func begins(_ path: [String]) -> Bool {
        guard path.count <= segments.count else { return false }
        return zip(segments, path).allSatisfy { segment, name in
            if case .literal(let literal) = segment { literal == name } else { true }
        }
    }
}
