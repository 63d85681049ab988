/// The subscribers of a server, by topic.
struct TopicTable {
    private var topics: [ChangeTopic: TopicSubscribers] = [:]

    var count: Int { topics.count }

    mutating func insert<Scope>(_ subscriber: ChangeSubscriber<Scope>, _ topic: ChangeTopic) {
        topics[topic, default: TopicSubscribers()].insert(subscriber)
    }

    mutating func remove<Scope>(_ subscriber: ChangeSubscriber<Scope>, _ topic: ChangeTopic) {
        topics[topic]?.remove(subscriber)
        if topics[topic]?.isEmpty == true { topics[topic] = nil }
    }

    func offer(_ change: SharedChange, _ delivery: inout ChangeDelivery) {
        let found = change.change.topics.compactMap { topics[$0] }
        for topic in found {
            for group in topic.groups { group.offer(change, hasOthers: found.count > 1, &delivery) }
        }
    }
}
