import GraphQL
import Postgres

/// A comment that a subscription names by its id, on a thought. It comes and goes with the thought.
struct CommentPlace: Sendable {
    let id: UUID
    /// nil for a deleted account's.
    let authorID: UUID?
    let thoughtID: UUID
    /// Whose the thought is, who sees it as a draft, too.
    let ownerID: UUID?
    /// As it was when this was read.
    let isDraft: Bool

    func isOn(thoughtOf viewer: UUID?) -> Bool { viewer != nil && ownerID == viewer }
}

extension Environment {
    /// Of each scope's objects that are comments.
    func commentPlaces(of scopes: [ChangeScope]) async throws -> [[CommentPlace]] {
        let ids = scopes.map(\.comments)
        let all = Set(ids.joined())
        guard !all.isEmpty else { return scopes.map { _ in [] } }
        let places = try await pools.worker.run(CommentPlaces(ids: Array(all)))
        return ids.map { ids in places.filter { ids.contains($0.id) } }
    }
}

extension ChangeScope {
    fileprivate var comments: Set<UUID> {
        guard case .objects(let objects) = self else { return [] }
        return Set(objects.filter { $0.kind == .comment }.map(\.uuid))
    }
}

private struct CommentPlaces: Statement {
    let ids: [UUID]

    var sql: SQL { "select id, author_id, thought_id, owner_id, is_draft from comment_places(\(ids))" }

    func decode(_ row: Row) -> CommentPlace {
        CommentPlace(
            id: row.uuid(0), authorID: row.uuid(optional: 1), thoughtID: row.uuid(2), ownerID: row.uuid(optional: 3),
            isDraft: row.bool(4))
    }
}
