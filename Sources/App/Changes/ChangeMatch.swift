import GraphQL
import Postgres

enum ChangeKind: String, LeafValue, CaseIterable {
    case added = "ADDED"
    case changed = "CHANGED"
    case removed = "REMOVED"

    /// From whether a subscription matched before and matches now; nil where it is not concerned.
    init?(_ before: Bool, _ after: Bool) {
        switch (before, after) {
        case (false, true): self = .added
        case (true, true): self = .changed
        case (true, false): self = .removed
        case (false, false): return nil
        }
    }

}

/// What a subscription is about, without who subscribes.
enum ChangeScope: Sendable {
    case feed(FeedFilter)
    case events(EventFilter)
    case objects(Set<TypeID>)
    case comments(of: UUID)
    /// The account itself, as only it sees itself.
    case account(UUID)
    case notifications(of: UUID)
    /// The viewer's conversations, as their list shows them, and what is said in them.
    case conversations(Set<UUID>)
    case messages(in: Set<UUID>)

    var topics: [ChangeTopic] {
        switch self {
        case .feed: [.feed]
        case .events: [.events]
        case .objects(let ids): ids.map(ChangeTopic.object)
        case .comments(let subject): [.subject(subject)]
        case .account(let account), .notifications(let account): [.account(account)]
        case .conversations(let ids), .messages(let ids): ids.map(ChangeTopic.subject)
        }
    }

    /// What the log does not tell of an event, the event does when it is read.
    var endsAfter: Timestamp? {
        if case .events(let filter) = self { filter.endsAfter } else { nil }
    }

    func kind(of change: Change, for viewer: UUID?) -> ChangeKind? {
        if case .conversations(let ids) = self { return change.kindOfConversation(ids, viewer) }
        return ChangeKind(
            change.before.map { matches(change.object, $0, viewer) } ?? false,
            change.after.map { matches(change.object, $0, viewer) } ?? false)
    }

    private func matches(_ object: TypeID, _ state: ChangeState, _ viewer: UUID?) -> Bool {
        switch self {
        case .feed(let filter): filter.matches(object.kind, state)
        case .events(let filter): object.kind == .event && filter.matches(state)
        case .objects(let ids): ids.contains(object) && state.isVisible(object.kind, to: viewer)
        case .comments(let subject): object.kind == .comment && state.subjectID == subject
        case .account(let account): object.kind == .user && object.uuid == account
        case .notifications(let account): object.kind == .notification && state.authorID == account
        case .conversations: false
        case .messages(let ids): object.kind == .message && state.subjectID.map(ids.contains) ?? false
        }
    }
}

extension Change {
    /// A row tells of a person who came or went, or of nobody: then something was said. Another's coming is a change
    /// of the conversation, one's own begins it.
    fileprivate func kindOfConversation(_ ids: Set<UUID>, _ viewer: UUID?) -> ChangeKind? {
        guard object.kind == .conversation else { return nil }
        if let viewer, (after ?? before)?.authorID == viewer {
            return ChangeKind(before?.status == .joined, after?.status == .joined)
        }
        return ids.contains(object.uuid) ? .changed : nil
    }
}

extension ChangeState {
    /// As the policies have it, but for what lies in other rows: that is decided when the node is read.
    fileprivate func isVisible(_ kind: TypeID.Kind, to viewer: UUID?) -> Bool {
        switch kind {
        case .thought: status == .published || (authorID != nil && authorID == viewer)
        case .user, .comment, .event, .image: true
        default: false
        }
    }
}

extension FeedFilter {
    fileprivate func matches(_ kind: TypeID.Kind, _ state: ChangeState) -> Bool {
        if let author = thoughts.authorID, author != state.authorID { return false }
        switch kind {
        case .thought:
            guard includesThoughts, state.status == .published else { return false }
            guard let categories = thoughts.categories else { return true }
            return state.category.map(categories.contains) ?? false
        case .event: return includesEvents
        default: return false
        }
    }
}

extension EventFilter {
    fileprivate func matches(_ state: ChangeState) -> Bool {
        if let author = authorID, author != state.authorID { return false }
        guard let starts = state.startsAt else { return true }
        if let bound = startsAfter, starts < bound { return false }
        if let bound = startsBefore, starts >= bound { return false }
        return true
    }
}
