import Postgres

/// By what the subscriptions that a change concerns are found: one look-up each.
enum ChangeTopic: Hashable, Sendable {
    case feed, events
    case object(TypeID)
    /// The comments of a thought or an event, the messages of a conversation.
    case subject(UUID)
    /// What is an account's alone: itself, its conversations, its notifications.
    case account(UUID)
    /// The blocks that an account made or met.
    case blocks(of: UUID)
}

extension Change {
    var topics: [ChangeTopic] {
        if isBlock { return people.map(ChangeTopic.blocks) }
        var topics: [ChangeTopic] = [.object(object)]
        func subjects(_ topic: (UUID) -> ChangeTopic) {
            if let subject = after?.subjectID { topics.append(topic(subject)) }
            if let subject = before?.subjectID, subject != after?.subjectID { topics.append(topic(subject)) }
        }
        switch object.kind {
        case .thought:
            topics.append(.feed)
            // Its comments come and go with it.
            if isPublished != nil { topics.append(.subject(object.uuid)) }
        case .event: topics += [.feed, .events]
        case .comment: subjects(ChangeTopic.subject)
        case .user: topics.append(.account(object.uuid))
        case .message: subjects(ChangeTopic.subject)
        case .conversation:
            subjects(ChangeTopic.subject)
            if let account = after?.authorID { topics.append(.account(account)) }
        case .notification: topics += [after?.authorID ?? before?.authorID].compactMap { $0.map(ChangeTopic.account) }
        default: break
        }
        return topics
    }
}
