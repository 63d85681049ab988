import ChangeFeed
import Postgres

/// The conversations and messages that a viewer sees, by the viewer's memberships and blocks.
struct ConversationVisibility: ChangeFold {
    private(set) var memberships: Memberships
    private var blocks: Blocks
    /// Whether each conversation of the viewer is a topic.
    private let followsAll: Bool

    init(_ memberships: Memberships, _ blocks: Blocks, followsAll: Bool) {
        self.memberships = memberships
        self.blocks = blocks
        self.blocks.isPrivate = true
        self.followsAll = followsAll
    }

    init(unknownOf viewer: UUID?, followsAll: Bool) {
        self.init(Memberships(of: viewer), Blocks(unknownOf: viewer), followsAll: followsAll)
    }

    var topics: [ChangeTopic] { (followsAll ? memberships.topics : memberships.ownTopic) + blocks.topics }

    mutating func apply(_ change: Change) -> FoldEffect? {
        switch change.object.kind {
        case .block: return blocks.apply(change)
        case .conversation:
            let effect = memberships.apply(change)
            return followsAll ? effect : nil
        default: return nil
        }
    }

    func takesPart(in conversation: UUID?) -> Bool { conversation.map(memberships.conversations.contains) ?? false }

    var hidesNobody: Bool { blocks.hidesNobody }
    func hides(_ person: UUID) -> Bool { blocks.hides(person) }
    func willHide(_ person: UUID) -> Bool { blocks.willHide(person) }
    func wasCommitted(_ change: Change) -> Bool? { blocks.wasCommitted(change) }
}
