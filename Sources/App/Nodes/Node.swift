import GraphQL
import Postgres

/// An object with a global id (Relay's Node).
enum Node: AbstractValue {
    case user(User)
    case viewer(ViewerAccount)
    case session(Session)
    case thought(Thought)
    case comment(Comment)
    case event(Event)
    case image(Image)
    case conversation(Conversation)
    case message(Message)
    case notification(Notification)
    case device(PushDevice)
    case report(Report)

    static let binding: Binding = InterfaceBinding<Node, RequestContext>("Node") { node in
        node.member("User") { if case .user(let user) = $0 { user } else { nil } }
        node.member("Viewer") { if case .viewer(let viewer) = $0 { viewer } else { nil } }
        node.member("Session") { if case .session(let session) = $0 { session } else { nil } }
        node.member("Thought") { if case .thought(let thought) = $0 { thought } else { nil } }
        node.member("Comment") { if case .comment(let comment) = $0 { comment } else { nil } }
        node.member("Event") { if case .event(let event) = $0 { event } else { nil } }
        node.member("Image") { if case .image(let image) = $0 { image } else { nil } }
        node.member("Conversation") { if case .conversation(let conversation) = $0 { conversation } else { nil } }
        node.member("Message") { if case .message(let message) = $0 { message } else { nil } }
        node.member("PushDevice") { if case .device(let device) = $0 { device } else { nil } }
        node.member("Notification") { if case .notification(let notification) = $0 { notification } else { nil } }
        node.member("Report") { if case .report(let report) = $0 { report } else { nil } }
    }

    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("node") { _, context in
            context.context.nodes([try context.arguments.decode("id")])
        }
        query.load("nodes") { _, context in
            let ids: [String] = try context.arguments.decode("ids")
            guard ids.count <= Page.maximumCount else {
                throw ExecutionError("ids can have \(Page.maximumCount) entries at most.", code: .badUserInput)
            }
            return context.context.nodes(ids.map { TypeID($0) }).map { [$0] }
        }
    }
}

extension RequestContext {
    /// The nodes of `ids`, in the same order; nil for an object that does not exist or is not visible. One statement is
    /// sent for each kind.
    func nodes(_ ids: [TypeID?]) -> Pending<[Node?]> {
        func started<S: Statement>(
            _ kind: TypeID.Kind, _ statement: ([UUID]) -> S, _ node: @escaping @Sendable (S.Output) -> (UUID, Node)
        ) -> Pending<[TypeID: Node]>? {
            let wanted = Set(ids.compactMap { $0?.kind == kind ? $0?.uuid : nil })
            if wanted.isEmpty { return nil }
            return start(statement(Array(wanted))).pending.map { rows in
                let pairs = rows.map(node).map { (TypeID(kind, $0.0), $0.1) }
                return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
            }
        }
        let pending = [
            started(.user, { UsersByID(ids: $0) }) { ($0.id, .user($0)) },
            started(.viewer, { ViewerAccounts(ids: $0) }) { ($0.id, .viewer($0)) },
            started(.session, { OwnSessions(ids: $0) }) { ($0.id, .session($0)) },
            started(.thought, { ThoughtsByID(ids: $0) }) { ($0.id, .thought($0)) },
            started(.comment, { CommentsByID(ids: $0) }) { ($0.id, .comment($0)) },
            started(.event, { EventsByID(ids: $0) }) { ($0.id, .event($0)) },
            started(.image, { ImageNodes(ids: $0) }) { ($0.id, .image($0)) },
            started(.conversation, { ConversationsByID(ids: $0) }) { ($0.id, .conversation($0)) },
            started(.message, { MessagesByID(ids: $0) }) { ($0.id, .message($0)) },
            started(.device, { OwnPushDevices(ids: $0) }) { ($0.id, .device($0)) },
            started(.notification, { NotificationsByID(ids: $0) }) { ($0.id, .notification($0)) },
            started(.report, { ReportsByID(ids: $0) }) { ($0.id, .report($0)) },
        ].compactMap { $0 }
        return Pending {
            var nodes: [TypeID: Node] = [:]
            for kind in pending { nodes.merge(try await kind.value(), uniquingKeysWith: { first, _ in first }) }
            return ids.map { id in id.flatMap { nodes[$0] } }
        }
    }

    /// The thoughts and events of `ids` as subjects of comments, in the same order; nil for an object of another kind,
    /// and for an object that does not exist or is not visible.
    func subjects(_ ids: [TypeID?]) -> Pending<[Commentable?]> {
        nodes(ids).map { nodes in
            nodes.map {
                switch $0 {
                case .thought(let thought): .thought(thought)
                case .event(let event): .event(event)
                default: nil
                }
            }
        }
    }
}
