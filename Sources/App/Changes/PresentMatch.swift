import GraphQL
import Postgres

extension ChangeScope {
    /// Whether the log alone tells what a change is for a subscription. Of two writers of one object the later may have
    /// the lower transaction: then the rows lie in another order than they were written, and the last of them is not the
    /// object's last state. So what can come back, or leave a filter, is decided by the object as it is.
    func isSettled(_ kind: ChangeKind, of change: Change, for viewer: UUID?) -> Bool {
        // What is deleted stays so.
        if kind == .removed { return change.after == nil }
        switch self {
        case .feed(let filter):
            // One's own drafts can be read, and are not in it.
            return filter.thoughts.categories == nil
                && !(change.object.kind == .thought && viewer != nil && change.after?.authorID == viewer)
        case .events(let filter):
            return filter.startsAfter == nil && filter.startsBefore == nil && filter.endsAfter == nil
        case .objects, .comments, .account, .viewer, .notifications, .conversations, .messages: return true
        }
    }

    /// Whether an object can leave the scope without a row of the log that tells so: it does not have when events end.
    var canBeLeftUnnoticed: Bool {
        if case .events(let filter) = self { filter.endsAfter != nil } else { false }
    }

    /// Whether an object that the viewer sees is what the subscription is about. Whose it is never changes.
    func includes(_ node: Node) -> Bool {
        switch (self, node) {
        case (.feed(let filter), .thought(let thought)):
            String(thought.status) == "PUBLISHED"
                && filter.thoughts.categories?.contains(String(thought.category)) ?? true
        case (.events(let filter), .event(let event)):
            filter.startsAfter.map { event.startsAt >= $0 } ?? true
                && filter.startsBefore.map { event.startsAt < $0 } ?? true
                && filter.endsAfter.map { event.endsAt > $0 } ?? true
        default: true
        }
    }
}
