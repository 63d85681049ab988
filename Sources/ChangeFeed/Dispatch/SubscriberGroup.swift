/// The subscribers of one topic whose scopes have the same Swift type. A change is offered to the whole group with one
/// dynamic call.
protocol SubscriberGroup: AnyObject {
    var isEmpty: Bool { get }
    var queues: [ChangeQueue] { get }

    /// - Parameter hasOthers: whether a subscriber may also be found by another topic of the change.
    func offer(_ change: SharedChange, hasOthers: Bool, _ delivery: inout ChangeDelivery)
}

final class ScopeGroup<Scope: ChangeScope>: SubscriberGroup {
    private var members: [ObjectIdentifier: ChangeSubscriber<Scope>] = [:]

    var isEmpty: Bool { members.isEmpty }
    var queues: [ChangeQueue] { members.values.map(\.queue) }

    func insert(_ subscriber: ChangeSubscriber<Scope>) { members[ObjectIdentifier(subscriber)] = subscriber }

    /// - Returns: whether the subscriber was in the group.
    func remove(_ subscriber: ChangeSubscriber<Scope>) -> Bool {
        members.removeValue(forKey: ObjectIdentifier(subscriber)) != nil
    }

    func offer(_ change: SharedChange, hasOthers: Bool, _ delivery: inout ChangeDelivery) {
        Scope.offer(change, to: members, hasOthers: hasOthers, &delivery)
    }
}

/// The groups of one topic, one for each type of scope. A topic has few groups, so an array is searched.
struct TopicSubscribers {
    private(set) var groups: [any SubscriberGroup] = []

    var isEmpty: Bool { groups.isEmpty }

    mutating func insert<Scope>(_ subscriber: ChangeSubscriber<Scope>) {
        for case let group as ScopeGroup<Scope> in groups { return group.insert(subscriber) }
        let group = ScopeGroup<Scope>()
        group.insert(subscriber)
        groups.append(group)
    }

    /// - Returns: whether the subscriber was in a group of the topic.
    mutating func remove<Scope>(_ subscriber: ChangeSubscriber<Scope>) -> Bool {
        for (index, group) in groups.enumerated() {
            guard let group = group as? ScopeGroup<Scope> else { continue }
            defer { if group.isEmpty { groups.remove(at: index) } }
            return group.remove(subscriber)
        }
        return false
    }
}
