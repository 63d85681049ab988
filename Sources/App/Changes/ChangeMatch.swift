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
    /// And who wrote the thought or event.
    case comments(of: UUID, owner: UUID)
    /// The account itself, as others see it.
    case account(UUID)
    /// The same with its badges, as only it sees itself.
    case viewer(UUID)
    case notifications(of: UUID)
    /// The viewer's conversations, as their list shows them.
    case conversations
    /// What is said in one of the viewer's conversations; nil: in all of them.
    case messages(of: UUID?)

    /// - Parameter memberships: the viewer's, where `needsMemberships`.
    func topics(_ memberships: Memberships?, viewer: UUID?) -> [ChangeTopic] {
        let own = followsMemberships ? (memberships?.conversations ?? []).map(ChangeTopic.subject) : []
        let account = needsMemberships ? [viewer].compactMap { $0.map(ChangeTopic.account) } : []
        switch self {
        case .feed: return [.feed]
        case .events: return [.events]
        case .objects(let ids): return ids.map(ChangeTopic.object) + account
        case .comments(let subject, _): return [.subject(subject)]
        case .account(let account), .notifications(let account): return [.account(account)]
        case .viewer, .conversations, .messages(nil): return own + account
        case .messages(let conversation?): return [.subject(conversation)] + account
        }
    }

    /// Whether it depends on who is in which conversation.
    var needsMemberships: Bool {
        switch self {
        case .viewer, .conversations, .messages: true
        case .objects(let ids): ids.contains { $0.kind == .conversation || $0.kind == .message }
        case .feed, .events, .comments, .account, .notifications: false
        }
    }

    /// Whether each conversation that the viewer is in is a topic.
    var followsMemberships: Bool {
        switch self {
        case .viewer, .conversations, .messages(nil): true
        case .feed, .events, .objects, .comments, .account, .notifications, .messages: false
        }
    }

    /// - Parameter memberships: those of the viewer before the change.
    func kind(of change: Change, for viewer: UUID?, _ memberships: Memberships?) -> ChangeKind? {
        switch self {
        case .conversations: return change.kindOfConversation(for: viewer, memberships)
        case .viewer(let account): return change.concernsBadges(of: account, memberships) ? .changed : nil
        default:
            return ChangeKind(
                change.before.map { matches(change.object, $0, viewer, memberships) } ?? false,
                change.after.map { matches(change.object, $0, viewer, memberships) } ?? false)
        }
    }

    func matches(
        _ object: TypeID, _ state: ChangeState, _ viewer: UUID?, _ memberships: Memberships?
    ) -> Bool {
        switch self {
        case .feed(let filter): filter.matches(object.kind, state)
        case .events(let filter): object.kind == .event && filter.matches(state)
        case .objects(let ids): ids.contains(object) && state.isVisible(object.kind, to: viewer, memberships)
        case .comments(let subject, _): object.kind == .comment && state.subjectID == subject
        case .account(let account): object.kind == .user && object.uuid == account
        case .notifications(let account): object.kind == .notification && state.authorID == account
        case .conversations, .viewer: false
        case .messages(let conversation):
            object.kind == .message && (conversation == nil || conversation == state.subjectID)
                && state.isVisible(.message, to: viewer, memberships)
        }
    }
}

extension Change {
    /// A row tells of a person who came or went, or of nobody: then something was said. Another's coming is a change
    /// of the conversation, one's own begins it.
    fileprivate func kindOfConversation(for viewer: UUID?, _ memberships: Memberships?) -> ChangeKind? {
        guard object.kind == .conversation else { return nil }
        if let viewer, after?.authorID == viewer {
            return ChangeKind(before?.status == .joined, after?.status == .joined)
        }
        return memberships?.conversations.contains(object.uuid) == true ? .changed : nil
    }

    /// The account itself, what it is told, and what is said to it or read by it.
    fileprivate func concernsBadges(of account: UUID, _ memberships: Memberships?) -> Bool {
        switch object.kind {
        case .user: object.uuid == account
        case .notification: (after ?? before)?.authorID == account
        case .conversation:
            after?.authorID == account
                || (after?.authorID == nil && memberships?.conversations.contains(object.uuid) == true)
        default: false
        }
    }
}

extension ChangeState {
    /// The policies' decision as far as the row tells; what depends on other rows is decided when the node is read.
    /// `NamedObjects` follows those other rows for most objects that are named.
    fileprivate func isVisible(_ kind: TypeID.Kind, to viewer: UUID?, _ memberships: Memberships?) -> Bool {
        switch kind {
        case .image: true
        case .notification: authorID != nil && authorID == viewer
        case .message: subjectID.map { memberships?.conversations.contains($0) == true } ?? false
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
