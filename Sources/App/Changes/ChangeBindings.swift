import GraphQL
import Postgres

enum ChangeBindings {
    static let types: [Binding] =
        [
            subscription,
            ChangeEvent<FeedItem>.binding("FeedChange"),
            ChangeEvent<Node>.binding("NodeChange"),
            ChangeEvent<Event>.binding("EventChange"),
            ChangeEvent<Comment>.binding("CommentChange") { change in
                change.load("subject") { changes, context in
                    let ids = changes.flatMap { change in
                        [TypeID.Kind.thought, .event].map { kind in change.subjectID.map { TypeID(kind, $0) } }
                    }
                    return context.context.subjects(ids).map { found in
                        changes.indices.map { found[2 * $0] ?? found[2 * $0 + 1] }
                    }
                }
            },
            ChangeEvent<Conversation>.binding("ConversationChange"),
            ChangeEvent<Message>.binding("MessageChange") { change in
                change.load("conversation") { changes, context in
                    context.context.conversations(changes.map(\.subjectID))
                }
            },
            ChangeEvent<Notification>.binding("NotificationChange"),
            ViewerChange.binding, SessionChange.binding,
        ] + ChangeList.bindings

    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.snapshot("changeCursor") { $0.context.environment.changes.cursor }
        ChangeList.query(&query)
    }

    private static let subscription: Binding = ObjectBinding<Root, RequestContext>("Subscription") {
        $0.changes("feedChanges", of: FeedItem.self) { context in
            .feed(try context.arguments.decode(FeedFilter?.self, "filter") ?? FeedFilter())
        }
        $0.changes("eventChanges", of: Event.self) { context in
            .events(try context.arguments.decode(EventFilter?.self, "filter") ?? EventFilter())
        }
        $0.changes("nodeChanges", of: Node.self) { context in
            .objects(try ChangeScope.objects(try context.arguments.decode("ids")))
        }
        $0.changes("commentChanges", of: Comment.self) { context in
            let subject: TypeID = try context.arguments.decode("subjectId")
            return try await context.context.comments(of: subject)
        }
        $0.changes("messageChanges", of: Message.self) { context in
            _ = try context.context.requireViewer()
            guard let id = try context.arguments.decode(TypeID?.self, "conversationId") else {
                return .messages(of: nil)
            }
            return .messages(of: try await context.context.ownConversation(id))
        }
        $0.changes("conversationChanges", of: Conversation.self) { context in
            _ = try context.context.requireViewer()
            return .conversations
        }
        $0.changes("notificationChanges", of: Notification.self) { context in
            .notifications(of: try context.context.requireViewer().userID)
        }
        ViewerChange.subscription(&$0)
        SessionChange.subscription(&$0)
    }
}

extension ChangeScope {
    static func objects(_ ids: [String]) throws -> Set<TypeID> {
        guard ids.count <= Page.maximumCount else {
            throw ExecutionError("ids can have \(Page.maximumCount) entries at most.", code: .badUserInput)
        }
        return Set(ids.compactMap { TypeID($0) })
    }
}

extension ObjectFields where Parent == Root, Context == RequestContext {
    fileprivate mutating func changes<Object: ChangedObject>(
        _ name: String, of type: Object.Type,
        _ scope: @escaping @Sendable (FieldContext<RequestContext>) async throws -> ChangeScope
    ) {
        stream(name, plan: { !$0.isShared }) { isPersonal, context in
            let place = context.context.takePlace()
            let stream = try await ChangeStream(
                try await scope(context), after: context.after(), context.context, place: place,
                isPersonal: isPersonal)
            let (context, subscriber) = (context.context, stream.subscriber)
            return ChangeEvents(
                changes: stream,
                tell: { try await ChangeEvent<Object>($0, for: subscriber, context).told(in: context) },
                share: { try await ChangeEvent<Object>($0, for: subscriber, context).shared() })
        }
    }
}

extension FieldContext<RequestContext> {
    /// Where the subscription begins: its own argument, else what the connection resumes from.
    func after() throws -> ChangeCursor? {
        try ChangeCursor.decode(arguments.decode("after") ?? context.resumeAfter)
    }
}
