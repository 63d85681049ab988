/// The subscribers of one topic whose scopes have the same Swift type. A change is offered to the whole group with one
/// dynamic call.
protocol SubscriberGroup: AnyObject {
    var isEmpty: Bool { get }

    /// - Parameter hasOthers: whether a subscriber may also be found by another topic of the change.
    func offer(_ change: SharedChange, hasOthers: Bool, _ delivery: inout ChangeDelivery)
}

final class ScopeGroup<Scope: ChangeScope>: SubscriberGroup {
    private var members: [ObjectIdentifier: ChangeSubscriber<Scope>] = [:]

    var isEmpty: Bool { members.isEmpty }

    func insert(_ subscriber: ChangeSubscriber<Scope>) { members[ObjectIdentifier(subscriber)] = subscriber }

    func remove(_ subscriber: ChangeSubscriber<Scope>) { members[ObjectIdentifier(subscriber)] = nil }

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

    mutating func remove<Scope>(_ subscriber: ChangeSubscriber<Scope>) {
        for (index, group) in groups.enumerated() {
            guard let group = group as? ScopeGroup<Scope> else { continue }
            group.remove(subscriber)
            if group.isEmpty { groups.remove(at: index) }
            return
        }
    }
}
