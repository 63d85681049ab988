import GraphQL
import Postgres

/// A second rating by the same account replaces the first.
struct RateThought: ThoughtMutation {
    static let name = "rateThought"
    static let sharesCommit = true
    static let stars = 1...5

    let id: UUID
    private let stars: Int
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.thought, "thoughtId")
        stars = try input.decode("stars")
        userErrors =
            Self.stars.contains(stars) ? [] : [UserError(.invalid, "A rating is one to five stars.", "stars")]
    }

    /// Locks the account, then the thought, then the rating. Other orders can deadlock:
    ///
    /// - Rating before thought: another transaction that holds the thought may wait for the rating, while this mutation
    ///   waits for the thought.
    /// - Thought before account: a transaction that deletes the account holds the account and waits for the thought.
    ///   This mutation would wait for the account, because the foreign key of its rating locks it.
    var write: SQL {
        """
        insert into thought_ratings as r (thought_id, user_id, stars) select \(id), viewer_id(), \(Int32(clamping: stars)) \
        where case when not exists (select from thoughts t where t.id = \(id) and \(Thought.isVisible)) \
        then refuse('NOT_FOUND') when lock_viewer() then lock_thought(\(id)) end \
        on conflict (thought_id, user_id) do update set stars = excluded.stars where r.stars <> excluded.stars
        """
    }

    var result: SQL? { Thought.visibleToViewer(id) }
}

struct UnrateThought: ThoughtMutation {
    static let name = "unrateThought"
    static let sharesCommit = true

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws { id = try input.id(.thought, "thoughtId") }

    var write: SQL {
        "delete from thought_ratings where thought_id = \(id) and user_id = viewer_id() and lock_thought(thought_id)"
    }

    var result: SQL? { Thought.visibleToViewer(id) }
}
