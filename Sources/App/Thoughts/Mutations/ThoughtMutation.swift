import GraphQL
import Postgres

/// A mutation that returns the thought that it wrote.
protocol ThoughtMutation: Mutation where Object == Thought {}

extension ThoughtMutation {
    static func replay(_ outcome: MutationOutcome) -> SQL? { ThoughtByID(id: outcome.id).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Thought? { row.map { Thought(row: $0) } }
}

extension Thought {
    /// In grapheme clusters.
    static let textLength = 1...2000
    static let titleLength = 120

    /// The thought if the viewer owns it. The id of somebody else's thought is the user error TAKEN.
    static func createdByViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one \
        left join thoughts t on t.id = \(id) and t.author_id = viewer_id() \
        where t.id is not null or refuse('USER_ERRORS', 'TAKEN id')
        """
    }

    /// The thought if the viewer owns it; else NOT_FOUND, or FORBIDDEN if the viewer sees it.
    static func ownedByViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one left join thoughts t on t.id = \(id) \
        and \(isVisible) where case when t.id is null then refuse('NOT_FOUND') \
        when t.author_id <> viewer_id() then refuse('FORBIDDEN') else true end
        """
    }

    static func visibleToViewer(_ id: UUID) -> SQL {
        """
        select \(unsafe: columns) from (select) as one left join thoughts t on t.id = \(id) \
        and \(isVisible) where t.id is not null or refuse('NOT_FOUND')
        """
    }
}
