import GraphQL
import Synchronization

/// Sends changes to parked subscribers. The subscribers of a group get one change after another, each with one read,
/// one execution and one encoding for all of them.
final class FanOut: Sendable {
    /// The number of subscribers that are served in a row before the task yields to other work of the event loop.
    private static let subscribersAtOnce = 64

    /// The batches that wait, by group. A group has an entry while a task sends its batches.
    private let waiting = Mutex<[ParkedGroup: [any FanOutBatch]]>([:])

    /// The number of batches that wait.
    var waitingCount: Int { waiting.withLock { $0.values.reduce(0) { $0 + $1.count } } }

    func deliver(_ delivery: ChangeDelivery) {
        for batch in delivery.batches {
            let group = batch.reader.group
            let isFirst = waiting.withLock { waiting in
                defer { waiting[group, default: []].append(batch) }
                return waiting[group] == nil
            }
            if isFirst {
                Task(executorPreference: batch.reader.sink.executor) {
                    while let batches = self.next(of: group) { for batch in batches { await Self.deliver(batch) } }
                }
            }
        }
        for reader in delivery.woken { reader.sink.wake() }
    }

    private func next(of group: ParkedGroup) -> [any FanOutBatch]? {
        waiting.withLock { waiting in
            guard let batches = waiting[group], !batches.isEmpty else {
                waiting[group] = nil
                return nil
            }
            waiting[group] = []
            return batches
        }
    }

    private static func deliver(_ batch: any FanOutBatch) async {
        let response = try? await batch.reader.response(to: batch.change)
        // After an error each subscriber reads the change itself, and its client learns the cursor to resume from.
        guard let response, response.response.errors.isEmpty else { return batch.fail() }
        var first = 0
        while first < batch.count {
            let next = min(first + subscribersAtOnce, batch.count)
            batch.receive(first..<next, response)
            first = next
            if first < batch.count { await Task.yield() }
        }
    }
}
