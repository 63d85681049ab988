import Foundation

/// The changes that were stored while a page was on its way. The server may have read the page before them, so that they
/// are applied once more in the transaction that stores it: otherwise a row that was removed meanwhile would come back.
/// Notes and reads are made within transactions, which are one after another.
final class PageLoads: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    private var noted: [JSONObject] = []

    /// The changes since the oldest page that is on its way was asked for.
    var changes: [JSONObject] { lock.withLock { noted } }

    func begin() { lock.withLock { count += 1 } }

    func end() {
        lock.withLock {
            count -= 1
            if count == 0 { noted = [] }
        }
    }

    func note(_ change: JSONObject) { lock.withLock { if count > 0 { noted.append(change) } } }
}
