import Glibc
import GraphQL

/// Counts the objects of an import, and collects its problems. Each problem becomes a line of JSON in a file; only the
/// number of problems of each reason stays in memory. Fields and paths that the mapping does not read are no problems:
/// `leaveOut` counts them in memory, and the file does not have them.
public final class ImportReport {
    /// The effect of a problem on its object. The raw value is written to the report's file.
    enum Effect: String {
        /// The object was not imported.
        case refused
        /// The object was imported, but a part of it was left out, such as its picture, or altered, such as a text that
        /// was cut.
        case changed
    }

    struct Problem: Equatable {
        let effect: Effect
        /// The document's path. In a rule with `each`, the field of `each` and the element's name follow. For an
        /// account, `auth/` and its id; for an account that cannot be read, its place in the export, such as
        /// `auth/users[3]`.
        let path: String
        /// The field at fault: of the document, of the mapping or of the exported account; nil if no field is at fault.
        /// The mapping's field may follow the document's, as in `headline (thought.title)`. The rule's target follows
        /// where the elements of `each` cannot be read, as in `fans (likes)`.
        var field: String?
        /// A sentence, the same for all problems of a kind.
        let reason: String
        /// The value that the sentence is about, such as an id.
        var detail: String?
    }

    /// The numbers of one kind of thing in the summary, such as `accounts`, `profiles`, `likes` or `images`. Of
    /// profiles only `read` is counted: they are written with their accounts. Of images `read` is not counted: they are
    /// read with the objects that show them.
    struct Count: Equatable {
        var read = 0
        /// The new objects: those that the run writes, or would write if it were no dry run.
        var written = 0
        /// The objects that an earlier import has written, even if they were deleted since. Of images, those of objects
        /// that an earlier import has written. Of acts, those that the database already has, whoever wrote them, and
        /// those that repeat another one of the same import.
        var present = 0
    }

    /// The greatest number of different reasons that are counted one by one, and also of names that `leaveOut` counts.
    /// A problem with a further reason is in the file and in the totals only. A further name is not reported.
    private static let maximumSums = 1_000

    private(set) var counts: [(name: String, count: Count)] = []
    private(set) var reasons: [String: Int] = [:]
    private(set) var leftOut: [String: Int] = [:]
    private(set) var refused = 0
    private(set) var changed = 0
    private let path: String?
    private let file: UnsafeMutablePointer<FILE>?

    /// - Parameter path: the file for the problems, whose former content is lost; nil for no file.
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

    /// Counts what the import does not read: a field or path for which there is no rule, a document of an `ignore`
    /// rule, and what the reader had to skip.
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

    /// Writes the lines that are still buffered.
    func flush() throws(ImportFailure) {
        if let file, fflush(file) != 0 || ferror(file) != 0 {
            throw ImportFailure("The report cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    /// The counts as text, for people.
    /// - Parameter isDryRun: whether nothing was written.
    public func summary(isDryRun: Bool) -> String {
        var lines = counts.map { name, count in
            let verb = isDryRun ? "to be written" : "written"
            return "\(name): \(count.read) read, \(count.written) \(verb), \(count.present) there already"
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
