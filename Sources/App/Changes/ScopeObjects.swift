import ChangeFeed
import Postgres

/// The objects of a scope that a bulk visibility change concerns: type, id, owner and subject of each.
struct ScopeObjects: Statement {
    let objects: SQL

    init(_ objects: SQL) { self.objects = objects }

    init(_ objects: SQL, limit: Int) { self.objects = "\(objects) limit \(Int64(limit))" }

    var sql: SQL {
        "select o.type, o.id, o.author, o.subject from (\(objects)) o (type, id, author, subject) order by o.id"
    }

    func decode(_ row: Row) -> ScopeObject {
        let kind = ObjectKind(rawValue: row.string(0))
        return ScopeObject(
            ObjectID(kind, row.uuid(1)), ChangeState(owner: row.uuid(optional: 2), subject: row.uuid(optional: 3)),
            kindWhenHidden: kind.nodeType?.kindWhenHidden ?? .removed)
    }
}

extension RequestContext {
    /// The same request without a viewer, which sees the objects that a block hides from the viewer.
    var anonymous: RequestContext { RequestContext(environment: environment, viewer: nil) }
}
