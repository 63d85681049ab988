import GraphQL
import Synchronization

/// What becomes of changes that were offered.
struct ChangeDelivery {
    /// A change for those of a group who rest and see it as the same kind.
    struct Batch {
        let change: MatchedChange
        let reader: ChangeSubscriber.Reader
        var subscribers: [ChangeSubscriber]
    }

    private struct BatchKey: Hashable {
        let change: ObjectIdentifier
        let kind: ChangeKind
        let group: ChangeSubscriber.Reader.Group
    }

    private(set) var batches: [Batch] = []
    private var numbers: [BatchKey: Int] = [:]
    private(set) var woken: [ChangeSubscriber.Reader] = []
    private(set) var overtaken: [ChangeSubscriber] = []

    mutating func add(_ offered: ChangeSubscriber.Offered, to subscriber: ChangeSubscriber) {
        switch offered {
        case .unconcerned, .given: break
        case .needsTask(let reader): woken.append(reader)
        case .overtaken: overtaken.append(subscriber)
        case .shared(let change, let reader):
            let key = BatchKey(change: ObjectIdentifier(change.shared), kind: change.kind, group: reader.group)
            if let number = numbers[key] {
                batches[number].subscribers.append(subscriber)
            } else {
                numbers[key] = batches.count
                batches.append(Batch(change: change, reader: reader, subscribers: [subscriber]))
            }
        }
    }
}

/// Brings changes to the subscribers that rest: one after another to those of a group, with one reading, one execution
/// and one encoding for all of them.
final class ChangeLanes: Sendable {
    /// After so many subscribers others of their thread have their turn.
    private static let subscribersAtOnce = 64

    /// What waits, of groups for which a task is at work.
    private let waiting = Mutex<[ChangeSubscriber.Reader.Group: [ChangeDelivery.Batch]]>([:])

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

    private func next(of group: ChangeSubscriber.Reader.Group) -> [ChangeDelivery.Batch]? {
        waiting.withLock { waiting in
            guard let batches = waiting[group], !batches.isEmpty else {
                waiting[group] = nil
                return nil
            }
            waiting[group] = []
            return batches
        }
    }

    private static func deliver(_ batch: ChangeDelivery.Batch) async {
        let response = try? await batch.reader.response(to: batch.change)
        // What fails does so for each of them, who knows from where to go on.
        guard let response, response.response.errors.isEmpty else {
            for subscriber in batch.subscribers { subscriber.fail(batch.change) }
            return
        }
        for (number, subscriber) in batch.subscribers.enumerated() {
            subscriber.receive(batch.change, response)
            if number % subscribersAtOnce == subscribersAtOnce - 1 { await Task.yield() }
        }
    }
}
