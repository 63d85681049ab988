import GraphQL
import Postgres

/// Ids of other objects than the viewer's notifications are ignored, so that the answer does not reveal whether they
/// exist.
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

/// Marks all notifications, or all up to an instant.
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
    /// Selects among the viewer's notifications; the alias `n` is the notifications table.
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
