import GraphQL
import Postgres

/// The new id of an imported object.
struct ImportedObjectID: Statement {
    /// The longest old id that an import keeps, in bytes.
    static let maximumByteCount = 1_000

    let oldID: String
    let source: String?

    var sql: SQL {
        """
        select kind, object_id from imported_objects where old_id = \(oldID) \
        and (\(source)::text is null or source = \(source)) order by source, kind limit 1
        """
    }

    func decode(_ row: Row) -> TypeID? { TypeID.Kind(rawValue: row.string(0)).map { TypeID($0, row.uuid(1)) } }
}

enum ImportBindings {
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("importedNode") { _, context in
            context.context.importedNode(
                try context.arguments.decode("oldId"), source: try context.arguments.decode("source"))
        }
    }
}

extension RequestContext {
    /// The object that an import brought, if the viewer may see it.
    func importedNode(_ oldID: String, source: String?) -> Pending<[Node?]> {
        let texts = [oldID, source ?? ""]
        // PostgreSQL's text cannot hold NUL.
        guard texts.allSatisfy({ $0.utf8.count <= ImportedObjectID.maximumByteCount && !$0.utf8.contains(0) }) else {
            return Pending([nil])
        }
        let found = start(ImportedObjectID(oldID: oldID, source: source))
        return Pending {
            guard let id = try await found.value.first ?? nil else { return [nil] }
            return try await self.nodes([id]).value()
        }
    }
}
