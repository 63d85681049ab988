import ChangeFeed
import GraphQL

extension TypeID.Kind {
    /// The type of the objects with ids of this kind.
    var type: any NodeObject.Type {
        switch self {
        case .user: User.self
        case .viewer: ViewerAccount.self
        case .session: Session.self
        case .thought: Thought.self
        case .comment: Comment.self
        case .event: Event.self
        case .image: Image.self
        case .conversation: Conversation.self
        case .message: Message.self
        case .notification: Notification.self
        case .device: PushDevice.self
        case .report: Report.self
        }
    }
}

/// The types of the objects with global ids.
enum NodeTypes {
    static let all: [any NodeObject.Type] = TypeID.Kind.allCases.map(\.type)

    private static let byKind: [ObjectKind: any NodeObject.Type] = Dictionary(
        all.map { ($0.kind.objectKind, $0) }, uniquingKeysWith: { first, _ in first })
    private static let visibilities = byKind.mapValues { $0.visibility }
    private static let shared = Set(byKind.filter { $0.value is any SharedObject.Type }.keys)

    /// The type of a kind's objects; nil for a kind that has no global ids, or that this server does not know.
    fileprivate static func type(of kind: ObjectKind) -> (any NodeObject.Type)? { byKind[kind] }
    fileprivate static func visibility(of kind: ObjectKind) -> NamedVisibility { visibilities[kind] ?? .policies }
    fileprivate static func isShared(_ kind: ObjectKind) -> Bool { shared.contains(kind) }
}

extension ObjectKind {
    /// The type of a kind's objects; nil for a kind that has no global ids, or that this server does not know.
    var nodeType: (any NodeObject.Type)? { NodeTypes.type(of: self) }

    var visibility: NamedVisibility { NodeTypes.visibility(of: self) }

    /// True if only some viewers may see objects of this kind. The type of such an object is no `SharedObject`.
    var isPrivate: Bool { !NodeTypes.isShared(self) }
}
