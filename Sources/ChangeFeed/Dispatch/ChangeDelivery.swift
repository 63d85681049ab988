import Postgres

/// What becomes of changes that are offered to the subscribers of a server.
public struct ChangeDelivery: Sendable {
    /// The fold of a subscriber joined a topic, or left it.
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
    /// Changes given to subscribers.
    @usableFromInline
    var given = 0

    /// Before the next change.
    mutating func begin() {
        reached.removeAll(keepingCapacity: true)
        moves = []
    }

    /// - Returns: whether the subscriber is met for the first time with this change.
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

/// A subscriber, whatever its scope.
protocol TopicMember: AnyObject, Sendable {
    var queue: ChangeQueue { get }
    /// Those of now.
    var topics: [ChangeTopic] { get }

    func join(_ topic: ChangeTopic, _ table: inout TopicTable)
    /// - Returns: whether it was there.
    func leave(_ topic: ChangeTopic, _ table: inout TopicTable) -> Bool
}

extension ChangeSubscriber: TopicMember {
    func join(_ topic: ChangeTopic, _ table: inout TopicTable) { table.insert(self, topic) }
    func leave(_ topic: ChangeTopic, _ table: inout TopicTable) -> Bool { table.remove(self, topic) }
}
