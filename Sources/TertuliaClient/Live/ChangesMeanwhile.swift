import Foundation

/// The changes that were stored while answers were on their way. The server may have made an answer before these
/// changes, so that the transaction that stores the answer applies them once more. `note` and `changes` are called
/// within transactions of the store, of which only one runs at a time.
final class ChangesMeanwhile<Change: Sendable>: @unchecked Sendable {
    /// The number of changes that were noted before an answer was asked for.
    typealias Mark = Int

    private let lock = NSLock()
    /// The marks of the answers that are on their way.
    private var marks: [Mark] = []
    /// The number of changes that were noted and are forgotten.
    private var forgotten = 0
    private var noted: [Change] = []

    /// The changes that were noted after the oldest of the answers on their way was asked for.
    var changes: [Change] { lock.withLock { noted } }

    /// The changes since the answer was asked for.
    func changes(since mark: Mark) -> [Change] { lock.withLock { Array(noted.dropFirst(mark - forgotten)) } }

    /// Called before an answer is asked for. `end` is called with the mark once the answer is stored or has failed.
    func begin() -> Mark {
        lock.withLock {
            let mark = forgotten + noted.count
            marks.append(mark)
            return mark
        }
    }

    func end(_ mark: Mark) {
        lock.withLock {
            if let index = marks.firstIndex(of: mark) { marks.remove(at: index) }
            let count = marks.min().map { $0 - forgotten } ?? noted.count
            noted.removeFirst(count)
            forgotten += count
        }
    }

    func note(_ change: Change) { lock.withLock { if !marks.isEmpty { noted.append(change) } } }
}

/// The changes of a list while its pages are read: a row that was removed meanwhile would otherwise come back.
typealias PageLoads = ChangesMeanwhile<JSONObject>

/// The objects that came while a query or a mutation was under way. An older answer would otherwise put an older value
/// in the place of a newer one, and perhaps no later change would correct it.
typealias RecordChanges = ChangesMeanwhile<RecordChange>

/// Objects of a live change or of a mutation's answer, by their keys.
///
/// A noted object may be older than the answer over which it is merged. For the object of a live change, the
/// subscription then still sends a newer change. It need not send one for the objects nested in that object, so these
/// are not noted. An object of a mutation's answer stays until the next answer. It is merged nevertheless, because a
/// query's answer that is older than the mutation would undo the mutation.
struct RecordChange: Sendable, Equatable {
    let records: [String: JSONObject]
    /// True for the objects of a mutation's answer. They are not merged over the answer to another mutation, because
    /// that answer is never older than the other mutation's own write.
    let isAnswer: Bool
}
