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

/// How widely a search matches. If a search finds fewer than ten objects, the next breadth is tried.
enum SearchBreadth: UInt8, CaseIterable {
    /// All words match, the last one as the beginning of a word.
    case words
    /// As `words`, and all other words of three letters or more match as the beginning of a word too, except very
    /// common ones.
    case prefixes
    /// As `prefixes`, with one typing error allowed in words of 5 to 24 letters.
    case typingErrors

    fileprivate func query(_ text: String) -> SQL {
        switch self {
        case .words: "search_query(\(text))"
        case .prefixes: "search_beginnings(\(text))"
        case .typingErrors: "search_slips(\(text))"
        }
    }
}

/// A page of a search's matches, best first. Matches of a narrower search come before those that only a wider one
/// finds.
///
/// Of each kind the newest 1,000 matches are ranked: by how well the words fit and, for thoughts and events, by age,
/// which takes half of the score at most. All pages are ranked as of the first page's instant, so that they neither
/// repeat nor miss an object that did not change. Matching reads `search_entries` alone; then the policies of thoughts,
/// events and users decide what the viewer may see, with one look-up a match.
struct SearchMatches: Statement {
    struct Output: Sendable {
        let id: TypeID
        let cursor: SearchCursor
    }

    static let lane = Lane.slow
    private static let enough = 10

    let query: String
    let kinds: Set<SearchKind>
    let count: Int
    let after: SearchCursor?
    private var breadth: SearchBreadth

    init(_ arguments: InputObject) throws {
        let query: String = try arguments.decode("query")
        // PostgreSQL's text cannot hold NUL.
        self.query = query.utf8.contains(0) ? query.replacing("\0", with: " ") : query
        kinds = Set(try arguments.decode([SearchKind]?.self, "kinds") ?? SearchKind.allCases)
        count = try Page.count(first: arguments.decode("first"))
        after = try arguments.decode(String?.self, "after").map {
            guard let cursor = SearchCursor($0) else {
                throw ExecutionError("after is no cursor of this list.", code: .badUserInput)
            }
            return cursor
        }
        breadth = after?.breadth ?? .words
    }

    /// The next wider search; nil if this one found enough, is the widest, or continues from a cursor.
    func widened(found: Int) -> SearchMatches? {
        guard after == nil, found < Self.enough, let wider = SearchBreadth(rawValue: breadth.rawValue + 1) else {
            return nil
        }
        var search = self
        search.breadth = wider
        return search
    }

    var sql: SQL {
        """
        select kind, id, score, coalesce(\(after?.instant), now()) from (select * from ( \
        select kind, id, (1e9 * (\(tier)ts_rank(words, \(breadth.query(query))) * case kind when 'USER' then 1 else 0.5 + 0.5 * \
        power(0.5::float8, least(900, extract(epoch from coalesce(\(after?.instant), now()) - at)::float8 / 2592000)) \
        end))::bigint as score from (\(newest(.thought)) union all \(newest(.event)) union all \(newest(.user))) newest \
        ) scored where (score, id) < (\(after?.score ?? .max), \(after?.id ?? UUID(high: .max, low: .max))) \
        order by score desc, id desc limit 3000) found where case kind \
        when 'THOUGHT' then (select true from thoughts t where t.id = found.id) \
        when 'EVENT' then (select true from events e where e.id = found.id) \
        else (select true from users u where u.id = found.id) end \
        order by score desc, id desc limit \(Int64(max(count + 1, after == nil ? Self.enough : 0)))
        """
    }

    /// One for each narrower search that matches too, added to ts_rank, which is below one.
    private var tier: SQL {
        switch breadth {
        case .words: ""
        case .prefixes: "(words @@ \(SearchBreadth.words.query(query)))::int + "
        case .typingErrors:
            """
            (words @@ \(SearchBreadth.words.query(query)))::int \
            + (words @@ \(SearchBreadth.prefixes.query(query)))::int + \

            """
        }
    }

    /// The statement is planned for its values: branches of kinds that are not asked for are dropped, and a very
    /// frequent word is looked for among the newest entries instead of in the index.
    private func newest(_ kind: SearchKind) -> SQL {
        let name: StaticString =
            switch kind {
            case .thought: "'THOUGHT'"
            case .event: "'EVENT'"
            case .user: "'USER'"
            }
        return """
            (select * from search_entries where \(kinds.contains(kind)) and kind = \(unsafe: name) \
            and words @@ \(breadth.query(query)) and at <= coalesce(\(after?.instant), now()) \
            order by at desc, id desc limit 1000)
            """
    }

    func decode(_ row: Row) throws -> Output {
        guard let kind = SearchKind(rawValue: row.string(0)) else { throw ExecutionError.notFound }
        return Output(
            id: TypeID(kind.typeID, row.uuid(1)),
            cursor: SearchCursor(
                breadth: breadth, instant: row.timestamp(3), score: row.int64(2), id: row.uuid(1)))
    }
}
