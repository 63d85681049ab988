import GraphQL
import Postgres

extension Comment: NodeObject {
    static let typeName = "Comment"
    static let kind = TypeID.Kind.comment

    static func byID(_ ids: [UUID]) -> CommentsByID { CommentsByID(ids: ids) }

    static func access(to id: UUID) -> SQL {
        "select c.id, c.author_id, false, false, false from comments c where c.id = \(id) and \(isVisible)"
    }

    static var visibility: NamedVisibility { .stateAndSubject }

    static func states(of ids: [UUID], for viewer: UUID?) -> SQL? {
        """
        select c.id, c.author_id, null::text, case when c.thought_id is null then 'event' else 'thought' end, \
        coalesce(c.thought_id, c.event_id) from comments c \
        where c.id = any(\(ids))
        """
    }
}
