import Postgres

/// The effects of offering changes to the subscribers of a server, collected under the hub's lock. The hub carries out
/// the moves after each change under the same lock, and the other effects after its release.
public struct ChangeDelivery: Sendable {
    /// A topic that a subscriber's fold joined or left.
    struct Move: Sendable {
        let subscriber: any TopicMember
        let topic: ChangeTopic
        let joins: Bool
    }

    private var reached: Set<ObjectIdentifier> = []
    private(set) var moves: [Move] = []
    private(set) var batches: [any FanOutBatch] = []
    private(set) var woken: [ChangeReader] = []
    private(set) var overtaken: [any TopicMember] = []
    /// The number of changes given to subscribers.
    @usableFromInline
    var given = 0

    /// Starts another change. Has to be called before each change is offered.
    mutating func begin() {
        reached.removeAll(keepingCapacity: true)
        moves = []
    }

    /// - Returns: whether the current change reaches the subscriber for the first time.
    @usableFromInline
    mutating func reach(_ subscriber: ObjectIdentifier) -> Bool { reached.insert(subscriber).inserted }

    @usableFromInline
    mutating func move<Scope>(_ subscriber: ChangeSubscriber<Scope>, by effect: FoldEffect) {
        moves += effect.joined.map { Move(subscriber: subscriber, topic: $0, joins: true) }
        moves += effect.left.map { Move(subscriber: subscriber, topic: $0, joins: false) }
    }

    @usableFromInline
    mutating func wake(_ reader: ChangeReader) {
        given += 1
        woken.append(reader)
    }

    @usableFromInline
    mutating func overtake<Scope>(_ subscriber: ChangeSubscriber<Scope>) { overtaken.append(subscriber) }

    @usableFromInline
    mutating func add<Scope>(_ batches: ScopeBatches<Scope>) {
        for batch in batches.batches {
            given += batch.subscribers.count
            self.batches.append(batch)
        }
    }
}

/// A subscriber of any type of scope, as the hub moves it between topics.
protocol TopicMember: AnyObject, Sendable {
    var queue: ChangeQueue { get }
    /// The subscriber's current topics.
    var topics: [ChangeTopic] { get }

    func join(_ topic: ChangeTopic, _ table: inout TopicTable)
    func leave(_ topic: ChangeTopic, _ table: inout TopicTable)
}

extension ChangeSubscriber: TopicMember {
    func join(_ topic: ChangeTopic, _ table: inout TopicTable) { table.insert(self, topic) }
    func leave(_ topic: ChangeTopic, _ table: inout TopicTable) { table.remove(self, topic) }
}
