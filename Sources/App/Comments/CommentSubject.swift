import ChangeFeed
import GraphQL
import Postgres

/// The state of a thought or an event that decides who sees the comments on it.
struct CommentSubject: Sendable {
    let ownerID: UUID?
    /// Whether only the owner sees the thought. False for an event.
    var isDraft: Bool

    init(_ state: ChangeState) {
        ownerID = state.owner
        isDraft = state.status == ThoughtStatus.draft.rawValue
    }

    /// The kind of a subject in the log. The subject's state tells it: a thought has a status, an event has none.
    static let kind: SubjectKind = { $0.status == nil ? .event : .thought }

    /// Whether the subject is a draft of another account than the viewer's.
    func isWithheld(from viewer: UUID?) -> Bool { isDraft && (viewer == nil || ownerID != viewer) }

    func isSeen(by viewer: UUID?, _ blocks: Blocks) -> Bool {
        !isWithheld(from: viewer) && !(ownerID.map { blocks.hides($0, inConversations: false) } ?? false)
    }
}

extension ChangeState {
    /// True for a comment on this thought or event, and for a message in this conversation. A thought and an event may have
    /// one UUID, so the category of a comment is the kind of its subject. Messages have no category. A comment's rows from
    /// before migration 25 have none either: they are taken as rows of a comment on both subjects.
    func isOn(_ object: ObjectID) -> Bool {
        subject == object.uuid && (category == nil || category == object.kind.rawValue)
    }
}

extension Change {
    /// The subject that an added comment is on, where the row tells the subject's state; nil for every other row.
    var subjectOfAdded: ObjectID? {
        guard let subject, let id = after?.subject else { return nil }
        return ObjectID(CommentSubject.kind(subject), id)
    }
}

extension RequestContext {
    /// The thoughts and events of `ids` as subjects of comments, in the same order; nil for an object of another kind,
    /// and for an object that does not exist or is not visible.
    func subjects(_ ids: [TypeID?]) -> Pending<[Commentable?]> {
        nodes(ids).map { nodes in nodes.map { $0.flatMap(Commentable.init(node:)) } }
    }
}
