import GraphQL
import Postgres

enum SearchKind: String, InputDecodable, CaseIterable {
    case thought = "THOUGHT"
    case event = "EVENT"
    case user = "USER"

    fileprivate var typeID: TypeID.Kind {
        switch self {
        case .thought: .thought
        case .event: .event
        case .user: .user
        }
    }
}

/// A page of what matches a search, best first.
///
/// Of each kind the newest 1,000 matches are ranked: by how well the words fit, and for thoughts and events by their age,
/// which takes away half of the score at most. They are ranked as they were at the instant of the first page, so that
/// pages neither repeat nor miss what did not change. The match itself is of `search_entries` alone; what the viewer may
/// see is decided by the policies of thoughts, events and users, one look-up each.
struct SearchMatches: Statement {
    struct Output: Sendable {
        let id: TypeID
        let cursor: SearchCursor
    }

    static let lane = Lane.slow

    let query: String
    let kinds: Set<SearchKind>
    let count: Int
    let after: SearchCursor?

    init(_ arguments: InputObject) throws {
        let query: String = try arguments.decode("query")
        // PostgreSQL's text holds every character but NUL.
        self.query = query.utf8.contains(0) ? query.replacing("\0", with: " ") : query
        kinds = Set(try arguments.decode([SearchKind]?.self, "kinds") ?? SearchKind.allCases)
        count = try Page.count(first: arguments.decode("first"))
        after = try arguments.decode(String?.self, "after").map {
            guard let cursor = SearchCursor($0) else {
                throw ExecutionError("after is no cursor of this list.", code: .badUserInput)
            }
            return cursor
        }
    }

    var sql: SQL {
        """
        select kind, id, score, coalesce(\(after?.instant), now()) from (select * from ( \
        select kind, id, (1e9 * ts_rank(words, search_query(\(query))) * case kind when 'USER' then 1 else 0.5 + 0.5 * \
        power(0.5::float8, least(900, extract(epoch from coalesce(\(after?.instant), now()) - at)::float8 / 2592000)) \
        end)::bigint as score from (\(newest(.thought)) union all \(newest(.event)) union all \(newest(.user))) newest \
        ) scored where (score, id) < (\(after?.score ?? .max), \(after?.id ?? UUID(high: .max, low: .max))) \
        order by score desc, id desc limit 3000) found where case kind \
        when 'THOUGHT' then (select true from thoughts t where t.id = found.id) \
        when 'EVENT' then (select true from events e where e.id = found.id) \
        else (select true from users u where u.id = found.id) end \
        order by score desc, id desc limit \(Int64(count) + 1)
        """
    }

    /// Planned for its values: what is not asked for is left out, and a word that is everywhere is looked for among the
    /// newest instead of in the index.
    private func newest(_ kind: SearchKind) -> SQL {
        let name: StaticString =
            switch kind {
            case .thought: "'THOUGHT'"
            case .event: "'EVENT'"
            case .user: "'USER'"
            }
        return """
            (select * from search_entries where \(kinds.contains(kind)) and kind = \(unsafe: name) \
            and words @@ search_query(\(query)) and at <= coalesce(\(after?.instant), now()) \
            order by at desc, id desc limit 1000)
            """
    }

    func decode(_ row: Row) throws -> Output {
        guard let kind = SearchKind(rawValue: row.string(0)) else { throw ExecutionError.notFound }
        return Output(
            id: TypeID(kind.typeID, row.uuid(1)),
            cursor: SearchCursor(instant: row.timestamp(3), score: row.int64(2), id: row.uuid(1)))
    }
}
