import GraphQL
import Postgres

/// Which changes a client wants: one of the members is given.
enum ScopeInput: InputObjectDecodable {
    enum Mailbox: String, InputDecodable, CaseIterable {
        case conversations = "CONVERSATIONS"
        case messages = "MESSAGES"
        case notifications = "NOTIFICATIONS"
    }

    case feed(FeedFilter)
    case events(EventFilter)
    case objects([String])
    case comments(TypeID)
    case messages(TypeID)
    case mailbox(Mailbox)

    init(input: InputObject) throws {
        if let filter: FeedFilter = try input.decode("feed") {
            self = .feed(filter)
        } else if let filter: EventFilter = try input.decode("events") {
            self = .events(filter)
        } else if let ids: [String] = try input.decode("nodeIds") {
            self = .objects(ids)
        } else if let subject: TypeID = try input.decode("commentsOf") {
            self = .comments(subject)
        } else if let conversation: TypeID = try input.decode("messagesOf") {
            self = .messages(conversation)
        } else {
            self = .mailbox(try input.decode("mailbox"))
        }
    }

    /// - Throws: NOT_FOUND for what the viewer may not see, UNAUTHENTICATED where there is none and one is needed.
    func scope(_ context: RequestContext) async throws -> ChangeScope {
        switch self {
        case .feed(let filter): return .feed(filter)
        case .events(let filter): return .events(filter)
        case .objects(let ids): return .objects(try ChangeScope.objects(ids))
        case .comments(let subject):
            return try await context.comments(of: subject)
        case .messages(let conversation): return .messages(of: try await context.ownConversation(conversation))
        case .mailbox(let mailbox):
            let viewer = try context.requireViewer()
            switch mailbox {
            case .messages: return .messages(of: nil)
            case .conversations: return .conversations
            case .notifications: return .notifications(of: viewer.userID)
            }
        }
    }
}

extension RequestContext {
    /// - Throws: NOT_FOUND where the viewer does not see it.
    func comments(of subject: TypeID) async throws -> ChangeScope {
        switch try await subjects([subject]).value()[0] {
        case .thought(let thought): .comments(of: subject.uuid, owner: thought.authorID)
        case .event(let event): .comments(of: subject.uuid, owner: event.authorID)
        case nil: throw ExecutionError.notFound
        }
    }

    /// - Throws: NOT_FOUND where the viewer does not take part in it.
    func ownConversation(_ id: TypeID) async throws -> UUID {
        _ = try requireViewer()
        guard id.kind == .conversation, try await conversations([id.uuid]).value()[0] != nil else {
            throw ExecutionError.notFound
        }
        return id.uuid
    }
}
