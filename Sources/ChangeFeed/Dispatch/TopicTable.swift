/// The subscribers of a server, by topic.
struct TopicTable {
    private var topics: [ChangeTopic: TopicSubscribers] = [:]

    var count: Int { topics.count }

    /// The queues of all subscribers, each once, though a subscriber may have several topics.
    var queues: [ObjectIdentifier: ChangeQueue] {
        var queues: [ObjectIdentifier: ChangeQueue] = [:]
        for topic in topics.values {
            for queue in topic.groups.lazy.flatMap(\.queues) { queues[ObjectIdentifier(queue)] = queue }
        }
        return queues
    }

    mutating func insert<Scope>(_ subscriber: ChangeSubscriber<Scope>, _ topic: ChangeTopic) {
        topics[topic, default: TopicSubscribers()].insert(subscriber)
    }

    /// - Returns: whether the topic had the subscriber.
    mutating func remove<Scope>(_ subscriber: ChangeSubscriber<Scope>, _ topic: ChangeTopic) -> Bool {
        guard topics[topic]?.remove(subscriber) == true else { return false }
        if topics[topic]?.isEmpty == true { topics[topic] = nil }
        return true
    }

    func offer(_ change: SharedChange, _ delivery: inout ChangeDelivery) {
        let found = change.change.topics.compactMap { topics[$0] }
        for topic in found {
            for group in topic.groups { group.offer(change, hasOthers: found.count > 1, &delivery) }
        }
    }
}
