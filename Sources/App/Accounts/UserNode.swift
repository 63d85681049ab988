import GraphQL
import Postgres

extension User: NodeObject {
    static let typeName = "User"
    static let kind = TypeID.Kind.user

    static func byID(_ ids: [UUID]) -> UsersByID { UsersByID(ids: ids) }

    static func access(to id: UUID) -> SQL {
        "select u.id, u.id, false, false, false from users u where u.id = \(id) and u.id <> all(hidden_ids())"
    }

    static var visibility: NamedVisibility { .state }

    static func states(of ids: [UUID], for viewer: UUID?) -> SQL? {
        "select u.id, u.id, null::text, null::text, null::uuid from users u where u.id = any(\(ids))"
    }
}
