import GraphQL
import Postgres

extension Thought: NodeObject {
    static let typeName = "Thought"
    static let kind = TypeID.Kind.thought

    static func byID(_ ids: [UUID]) -> ThoughtsByID { ThoughtsByID(ids: ids) }

    static func changed(_ id: UUID, for everybody: Everybody) -> Pending<Node?> {
        everybody.node(ThoughtByID(id: id, author: .joined))
    }

    static func access(to id: UUID) -> SQL {
        "select t.id, t.author_id, false, false, false from thoughts t where t.id = \(id) and \(isVisible)"
    }

    static var visibility: NamedVisibility { .state }

    static func states(of ids: [UUID], for viewer: UUID?) -> SQL? {
        "select t.id, t.author_id, t.status, null::text, null::uuid from thoughts t where t.id = any(\(ids))"
    }
}
