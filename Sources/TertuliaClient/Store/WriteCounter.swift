import Foundation

/// Tells when it is time to look whether a store is full: at the first write of a run, and then now and again.
final class WriteCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    func isTimeToSweep() -> Bool {
        lock.withLock {
            defer { count += 1 }
            return count % 500 == 0
        }
    }
}
