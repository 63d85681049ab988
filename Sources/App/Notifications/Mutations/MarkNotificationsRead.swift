import GraphQL
import Postgres

/// What is not the viewer's is passed over: whether it exists cannot be told.
struct MarkNotificationsRead: NotificationMarking {
    static let name = "markNotificationsRead"

    let id: UUID
    private let ids: [UUID]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.requireViewer().userID
        let ids: [TypeID] = try input.decode("ids")
        guard ids.count <= Page.maximumCount else {
            throw ExecutionError("ids can have \(Page.maximumCount) entries at most.", code: .badUserInput)
        }
        self.ids = ids.filter { $0.kind == .notification }.map(\.uuid)
    }

    var condition: SQL { "n.id = any(\(ids))" }
}

/// All up to an instant, or all that there are.
struct MarkAllNotificationsRead: NotificationMarking {
    static let name = "markAllNotificationsRead"

    let id: UUID
    private let before: Timestamp?

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.requireViewer().userID
        before = try input.decode("before")
    }

    var condition: SQL { "n.created_at <= coalesce(\(before), 'infinity')" }
}

protocol NotificationMarking: Mutation where Object == Bool {
    /// Which of the viewer's notifications: the alias `n`.
    var condition: SQL { get }
}

extension NotificationMarking {
    var write: SQL {
        """
        update notifications n set read_at = date_trunc('milliseconds', now()) \
        where n.user_id = viewer_id() and n.read_at is null and \(condition)
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Bool? { true }
}
