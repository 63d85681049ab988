import GraphQL
import Postgres

enum AccessAction: String, InputDecodable, CaseIterable {
    case read = "READ"
    case update = "UPDATE"
    case delete = "DELETE"
    case comment = "COMMENT"
    case like = "LIKE"
    case rate = "RATE"
    case rsvp = "RSVP"
    case message = "MESSAGE"
}

/// The rule that allows or refuses an action. `notVisible` also covers objects that do not exist, so that the two
/// cannot be distinguished.
enum AccessRule: String {
    case owner, published, participant, reporter, role
    case notVisible = "not_visible"
    case blocked
    case notOwner = "not_owner"
    case signedOut = "signed_out"
    case signUpRequired = "sign_up_required"
    case ended, cancelled
    case notApplicable = "not_applicable"

    var isAllowed: Bool {
        switch self {
        case .owner, .published, .participant, .reporter, .role: true
        case .notVisible, .blocked, .notOwner, .signedOut, .signUpRequired, .ended, .cancelled, .notApplicable: false
        }
    }

    var reason: String {
        switch self {
        case .owner: "The viewer owns it."
        case .published: "Everyone sees it."
        case .participant: "The viewer takes part in the conversation."
        case .reporter: "The viewer reported it."
        case .role: "The viewer is a moderator."
        case .notVisible: "There is no such object, or it is not visible to the viewer."
        case .blocked: "The viewer blocked its owner, or the other one of the conversation."
        case .notOwner: "It belongs to somebody else."
        case .signedOut: "The request carries no session."
        case .signUpRequired: "An anonymous account has to sign up first."
        case .ended: "The event has ended."
        case .cancelled: "The event is cancelled."
        case .notApplicable: "There is no such action on an object of this kind."
        }
    }
}

struct AccessExplanation: ObjectValue {
    let decidedBy: AccessRule

    static let binding: Binding = ObjectBinding<AccessExplanation, RequestContext>("AccessExplanation") {
        $0.field("allowed", \.decidedBy.isAllowed)
        $0.field("rule", \.decidedBy.rawValue)
        $0.field("reason", \.decidedBy.reason)
    }
}

/// The facts that the checks of mutations use, read with the same SQL fragments under the same policies.
struct AccessFacts: Statement {
    struct Output: Sendable {
        let isVisible: Bool
        let isOwner: Bool
        let isMember: Bool
        let isModerator: Bool
        let isBlockedByViewer: Bool
        let hasEnded: Bool
        let isCancelled: Bool
        /// True if only the participants of a conversation see the object.
        let isPrivate: Bool

        /// The rule by which the viewer sees a visible object.
        var asReader: AccessRule { isOwner ? .owner : isPrivate ? .participant : .published }
    }

    let object: TypeID

    var sql: SQL {
        """
        select o.id is not null, coalesce(o.owner = viewer_id(), false), viewer_is_member(), viewer_is_moderator(), \
        viewer_blocked_owner(\(object.kind.rawValue), \(object.uuid)), coalesce(o.ended, false), \
        coalesce(o.cancelled, false), coalesce(o.private, false) from (select) as one \
        left join (\(object.kind.type.access(to: object.uuid))) as o (id, owner, ended, cancelled, private) on true
        """
    }

    func decode(_ row: Row) -> Output {
        Output(
            isVisible: row.bool(0), isOwner: row.bool(1), isMember: row.bool(2), isModerator: row.bool(3),
            isBlockedByViewer: row.bool(4), hasEnded: row.bool(5), isCancelled: row.bool(6), isPrivate: row.bool(7))
    }
}

extension AccessAction {
    func applies(to kind: TypeID.Kind) -> Bool {
        switch (self, kind) {
        case (.read, _): true
        case (.update, .thought), (.update, .event), (.update, .comment), (.update, .user): true
        case (.delete, .thought), (.delete, .event), (.delete, .comment), (.delete, .user): true
        case (.comment, .thought), (.comment, .event): true
        case (.like, .thought), (.rate, .thought), (.rsvp, .event): true
        case (.message, .user), (.message, .conversation), (.update, .message), (.delete, .message): true
        default: false
        }
    }

    /// The rule that decides. The rules are tried in the order in which the mutations check them.
    func rule(_ kind: TypeID.Kind, _ facts: AccessFacts.Output, isSignedIn: Bool) -> AccessRule {
        guard applies(to: kind) else { return .notApplicable }
        if self != .read && !isSignedIn { return .signedOut }
        let isForMembers = self == .comment || self == .message || (self == .update && kind == .user)
        if isForMembers && !facts.isMember { return .signUpRequired }
        guard facts.isVisible else { return facts.isBlockedByViewer ? .blocked : .notVisible }
        switch self {
        case .read where kind == .report: return facts.isOwner ? .reporter : .role
        case .read, .comment, .like, .rate: return facts.asReader
        case .update: return facts.isOwner ? .owner : .notOwner
        case .delete: return facts.isOwner ? .owner : facts.isModerator && kind.isModerated ? .role : .notOwner
        case .rsvp:
            if facts.hasEnded { return .ended }
            if facts.isCancelled { return .cancelled }
            return facts.asReader
        case .message: return facts.isOwner ? .notApplicable : facts.asReader
        }
    }
}

extension TypeID.Kind {
    /// True if moderators may delete objects of this kind.
    fileprivate var isModerated: Bool { self == .thought || self == .event || self == .comment }
}

extension RequestContext {
    func explanation(of action: AccessAction, on object: TypeID) -> Pending<AccessExplanation?> {
        let isSignedIn = viewer != nil
        return start(AccessFacts(object: object)).pending.map { facts in
            facts.first.map {
                AccessExplanation(decidedBy: action.rule(object.kind, $0, isSignedIn: isSignedIn))
            }
        }
    }
}
