import GraphQL
import Synchronization

/// Brings changes to parked subscribers: one change after another to those of a group, with one reading, one execution
/// and one encoding for all of them.
final class FanOut: Sendable {
    /// After so many subscribers others of their thread have their turn.
    private static let subscribersAtOnce = 64

    /// Batches that wait, of groups for which a task is at work.
    private let waiting = Mutex<[ChangeReader.Group: [any FanOutBatch]]>([:])

    func deliver(_ delivery: ChangeDelivery) {
        for batch in delivery.batches {
            let group = batch.reader.group
            let isFirst = waiting.withLock { waiting in
                defer { waiting[group, default: []].append(batch) }
                return waiting[group] == nil
            }
            if isFirst {
                Task(executorPreference: batch.reader.executor) {
                    while let batches = self.next(of: group) { for batch in batches { await Self.deliver(batch) } }
                }
            }
        }
        for reader in delivery.woken { reader.wake() }
    }

    private func next(of group: ChangeReader.Group) -> [any FanOutBatch]? {
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
        // What fails does so for each of them, who knows from where to go on.
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
