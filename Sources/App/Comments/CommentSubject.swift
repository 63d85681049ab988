import ChangeFeed
import Postgres

/// A thought or an event, as far as it decides who sees the comments on it.
struct CommentSubject: Sendable {
    let ownerID: UUID?
    /// Only the owner sees the thought. An event is never a draft.
    var isDraft: Bool

    init(_ state: ChangeState) {
        ownerID = state.owner
        isDraft = state.status == ThoughtStatus.draft.rawValue
    }

    /// Of an object that is in the log as another's subject: a thought has a status, an event has none.
    static let kind: SubjectKind = { $0.status == nil ? .event : .thought }

    /// Whether it is a draft of somebody else.
    func isWithheld(from viewer: UUID?) -> Bool { isDraft && (viewer == nil || ownerID != viewer) }

    func isSeen(by viewer: UUID?, _ blocks: Blocks) -> Bool {
        !isWithheld(from: viewer) && !(ownerID.map { blocks.hides($0, inMail: false) } ?? false)
    }
}
