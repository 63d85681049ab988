import GraphQL
import Postgres

/// Objects that show the image have none afterwards: their foreign keys become null.
struct DeleteImage: Mutation {
    static let name = "deleteImage"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.image) }

    /// If more objects show the image than one batch holds, their references are cleared first, in batches that commit
    /// one by one.
    mutating func prepare(_ context: RequestContext) async throws -> [UserError] {
        guard try await context.start(HasManyUses(image: id)).value.first == true else { return [] }
        let worker = context.environment.pools.worker
        let clear = Segment(settings: context.settings, ["select clear_image(\(id), \(AccountBatch.size))"])
        while try await worker.retrying(clear).first?.first({ $0.int32(0) }) == AccountBatch.size {
            context.environment.changes.noteWrite()
        }
        return []
    }

    /// Locks the objects before the image, as their own mutations do, and in the order of their ids, as every
    /// transaction that locks several does.
    var lock: SQL? {
        """
        select (select count(*) from (select from users where id = viewer_id() and avatar_id = \(id) \
        for no key update) u), \
        (select count(*) from (select from thoughts where image_id = \(id) and author_id = viewer_id() order by id \
        for no key update) t), \
        (select count(*) from (select from events where image_id = \(id) and author_id = viewer_id() order by id \
        for no key update) e)
        """
    }

    var write: SQL {
        """
        with target as (select from images i where i.id = \(id) \
        and (image_is_public(i.id, i.owner_id) or exists (select from messages m join conversation_members p \
        on p.conversation_id = m.conversation_id where m.image_id = i.id and \(unsafe: Conversation.isViewers) \
        and \(unsafe: Message.isVisible)))), \
        deleted as (delete from images i where i.id = \(id) and i.owner_id = viewer_id() returning i.id) \
        select true where case when exists (select from deleted) then true \
        when exists (select from target) then refuse('FORBIDDEN') else refuse('NOT_FOUND') end
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Deleted? { Deleted(id: TypeID(.image, outcome.id)) }
}

/// Whether more objects show an image than one transaction may change.
private struct HasManyUses: Statement {
    private static let most = Int64(AccountBatch.size)

    let image: UUID

    var sql: SQL {
        """
        select count(*) > \(Self.most) from ( \
        (select from thoughts where image_id = \(image) and author_id = viewer_id() limit \(Self.most + 1)) \
        union all \
        (select from events where image_id = \(image) and author_id = viewer_id() limit \(Self.most + 1)) \
        union all \
        (select from messages where image_id = \(image) and author_id = viewer_id() limit \(Self.most + 1))) uses
        """
    }

    func decode(_ row: Row) -> Bool { row.bool(0) }
}
