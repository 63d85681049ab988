import GraphQL
import Postgres

extension Event: NodeObject {
    static let typeName = "Event"
    static let kind = TypeID.Kind.event

    static func byID(_ ids: [UUID]) -> EventsByID { EventsByID(ids: ids) }

    static func changed(_ id: UUID, for everybody: Everybody) -> Pending<Node?> {
        everybody.node(EventsByID(ids: [id], author: .joined))
    }

    static func access(to id: UUID) -> SQL {
        """
        select e.id, e.author_id, e.ends_at <= now(), e.cancelled_at is not null, false from events e \
        where e.id = \(id) and \(isVisible)
        """
    }

    static var visibility: NamedVisibility { .state }

    static func states(of ids: [UUID], for viewer: UUID?) -> SQL? {
        "select e.id, e.author_id, null::text, null::text, null::uuid from events e where e.id = any(\(ids))"
    }
}
