import Glibc
import GraphQL

/// All that an import did, and all that did not fit: the latter as lines of JSON in a file, sums in memory.
public final class ImportReport {
    /// The effect of a problem on its object. The raw value is written to the report's file.
    enum Effect: String {
        /// The object was not imported.
        case refused
        /// The object was imported without a part, such as its picture.
        case changed
    }

    struct Problem: Equatable {
        let effect: Effect
        /// The document's path, or the account's id after `auth/`.
        let path: String
        /// The field of the mapping; nil if no field is at fault.
        var field: String?
        /// A sentence, the same for all problems of a kind.
        let reason: String
        /// The subject of the sentence, such as an id.
        var detail: String?
    }

    /// The number of objects of a kind.
    struct Count: Equatable {
        var read = 0
        var written = 0
        /// The objects that an earlier import wrote.
        var present = 0
    }

    /// The most different reasons and fields that are summed up; more are in the file alone.
    private static let maximumSums = 1_000

    private(set) var counts: [(name: String, count: Count)] = []
    private(set) var reasons: [String: Int] = [:]
    private(set) var leftOut: [String: Int] = [:]
    private(set) var refused = 0
    private(set) var changed = 0
    private let path: String?
    private let file: UnsafeMutablePointer<FILE>?

    /// - Parameter path: the file of the problems, which is written anew; nil for none.
    public init(path: String?) throws(ImportFailure) {
        self.path = path
        file = path.flatMap { fopen($0, "we") }
        if let path, file == nil {
            throw ImportFailure("\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    deinit { if let file { fclose(file) } }

    func add(_ problem: Problem) {
        switch problem.effect {
        case .refused: refused += 1
        case .changed: changed += 1
        }
        Self.raise(&reasons, "\(problem.effect.rawValue): \(problem.reason)")
        guard let file else { return }
        var members: [(name: String, value: InputValue)] = [
            ("effect", .string(problem.effect.rawValue)), ("path", .string(problem.path)),
        ]
        if let field = problem.field { members.append(("field", .string(field))) }
        members.append(("reason", .string(problem.reason)))
        if let detail = problem.detail { members.append(("detail", .string(detail))) }
        var line = JSONWriter(capacity: 256)
        line.write(InputObject(members))
        line.append(UInt8(ascii: "\n"))
        line.withUnsafeBytes { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    }

    /// Counts a field or path that no rule of the mapping reads.
    func leaveOut(_ name: String) { Self.raise(&leftOut, name) }

    func count(_ name: String, _ change: (inout Count) -> Void) {
        if let index = counts.firstIndex(where: { $0.name == name }) {
            change(&counts[index].count)
        } else {
            var count = Count()
            change(&count)
            counts.append((name, count))
        }
    }

    /// Writes what is still in memory.
    func flush() throws(ImportFailure) {
        if let file, fflush(file) != 0 || ferror(file) != 0 {
            throw ImportFailure("The report cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    /// The sums, for people.
    /// - Parameter isDryRun: whether nothing was written.
    public func summary(isDryRun: Bool) -> String {
        var lines = counts.map { name, count in
            let others = isDryRun ? "to be written" : "written"
            return "\(name): \(count.read) read, \(count.written) \(others), \(count.present) there already"
        }
        lines.append("refused: \(refused), imported without a part: \(changed)")
        for (reason, count) in Self.sorted(reasons) { lines.append("  \(count) × \(reason)") }
        if !leftOut.isEmpty { lines.append("left out by the mapping:") }
        for (name, count) in Self.sorted(leftOut) { lines.append("  \(count) × \(name)") }
        if let path, refused + changed > 0 { lines.append("each of them: \(path)") }
        return lines.joined(separator: "\n")
    }

    private static func raise(_ sums: inout [String: Int], _ name: String) {
        if sums[name] != nil || sums.count < maximumSums { sums[name, default: 0] += 1 }
    }

    private static func sorted(_ sums: [String: Int]) -> [(key: String, value: Int)] {
        sums.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }
}
