import ChangeFeed
import GraphQL
import Postgres

extension Notification: NodeObject {
    static let typeName = "Notification"
    static let kind = TypeID.Kind.notification
    static var ringsDevices: Bool { true }

    static func byID(_ ids: [UUID]) -> NotificationsByID { NotificationsByID(ids: ids) }

    static func access(to id: UUID) -> SQL {
        """
        select n.id, n.user_id, false, false, false from notifications n where n.id = \(id) \
        and \(unsafe: isViewers)
        """
    }

    static func concerns(_ viewer: UUID?, _ state: ChangeState) -> Bool { viewer != nil && state.owner == viewer }

    /// A notification without the hidden actor stays visible with its other actors.
    static var kindWhenHidden: ChangeKind { .changed }

    /// The actors are read from the table, because the change log does not have them.
    static var objectsOfPerson: (@Sendable (_ person: UUID, _ ids: [UUID]) -> SQL)? {
        { person, ids in
            """
            select 'notification', n.id, n.user_id, null::uuid from notifications n \
            where n.id = any(\(ids)) and n.user_id = viewer_id() and \(person) = any(n.actors)
            """
        }
    }
}
