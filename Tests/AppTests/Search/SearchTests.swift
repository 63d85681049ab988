import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.serialized) struct SearchTests {
    private static func search(_ query: String, _ more: String = "") -> String {
        let quoted = query.unicodeScalars.map { scalar in
            let digits = String(scalar.value, radix: 16)
            return scalar.value < 0x20 || "\"\\".unicodeScalars.contains(scalar) ? "\\u{\(digits)}" : "\(scalar)"
        }
        return "{ search(query: \"\(quoted.joined())\"\(more)) { nodes { __typename ... on Node { id } } } }"
    }

    private static func ids(_ answer: Answer) -> [String] {
        guard case .list(let nodes) = answer["search", "nodes"] else { return [] }
        return nodes.compactMap { node in
            guard case .object(let node) = node, case .string(let id) = node["id"] else { return nil }
            return id
        }
    }

    private func found(_ query: String, in world: World, as person: Person = .nobody) async throws -> [String] {
        Self.ids(try await world.ask(Self.search(query), as: person))
    }

    /// What is written is found at once as it is now, and never otherwise.
    @Test func followsWhatIsWritten() async throws {
        let world = try await World.make()
        let created = try await world.ask(
            """
            mutation { createThought(input: { category: FUNNY, title: "Zeppelin", text: "Über den Wolken" }) \
            { thought { id } } }
            """, as: .ana)
        let id = try #require(created.string("createThought", "thought", "id"))
        #expect(try await found("zeppelin", in: world) == [id])
        #expect(try await found("uber wolk", in: world) == [id])
        try await SearchIndexMaintenance(world.environment).clean()
        #expect(try await found("uber wolk", in: world) == [id])

        _ = try await world.ask(
            "mutation { updateThought(input: { id: \"\(id)\", title: null, text: \"Unter der Erde\" }) { clientMutationId } }",
            as: .ana)
        #expect(try await found("zeppelin", in: world) == [])
        #expect(try await found("erde", in: world) == [id])

        _ = try await world.ask(
            "mutation { unpublishThought(input: { id: \"\(id)\" }) { clientMutationId } }", as: .ana)
        #expect(try await found("erde", in: world) == [])
        #expect(try await found("erde", in: world, as: .ana) == [])
        _ = try await world.ask("mutation { publishThought(input: { id: \"\(id)\" }) { clientMutationId } }", as: .ana)
        #expect(try await found("erde", in: world) == [id])
        _ = try await world.ask("mutation { deleteThought(input: { id: \"\(id)\" }) { clientMutationId } }", as: .ana)
        #expect(try await found("erde", in: world) == [])
        #expect(try await world.number("select count(*) from search_entries where words @@ 'erde'") == 0)

        let event = worldID(.event, 0x301)
        _ = try await world.ask(
            "mutation { updateEvent(input: { id: \"\(event)\", location: \"Hafen\" }) { clientMutationId } }", as: .ben)
        #expect(try await found("hafen", in: world) == [event])
        #expect(try await found("cafe", in: world) == [])

        let ben = worldID(.user, 0xB)
        try await world.execute(script: "update users set username = 'benito' where username = 'ben'")
        #expect(try await found("benito", in: world) == [ben])
        try await world.execute(script: "delete from users where username = 'benito'")
        #expect(try await found("benito", in: world) == [])
        #expect(try await found("hafen", in: world) == [])
        #expect(
            try await world.number(
                """
                select count(*) from search_entries where id not in (select id from thoughts where status = 'PUBLISHED' \
                union all select id from events union all select id from users)
                """) == 0)
        await world.shutdown()
    }

    /// Neither of two people between whom there is a block finds the other, nor what the other wrote; a page is filled all the
    /// same.
    @Test func blockedPeopleFindNothingOfEachOther() async throws {
        let world = try await World.make()
        let ana = ["user_01kdv00000e00800000000000a", worldID(.thought, 0x203), worldID(.thought, 0x201)]
        #expect(try await found("ana", in: world, as: .ben) == ana)
        let block = "mutation { blockUser(input: { userId: \"\(worldID(.user, 0xB))\" }) { user { id } } }"
        #expect(try await world.ask(block, as: .ana).isData)
        #expect(try await found("ana", in: world, as: .ben) == [])
        #expect(try await found("ben", in: world, as: .ana) == [])
        #expect(try await found("tertulia", in: world, as: .ana) == [])
        #expect(try await found("ana", in: world, as: .mod) == ana)
        #expect(try await found("ana", in: world, as: .nobody) == ana)
        let first = try await world.ask(
            "{ search(query: \"s\", first: 1) { nodes { ... on Thought { text } } } }", as: .ana)
        #expect(first.text.contains("Ana's") && !first.text.contains("Ben"), "\(first.text)")
        await world.shutdown()
    }

    /// A like, a comment, a rating or a share writes nothing that is searched.
    @Test func countersDoNotTouchTheIndex() async throws {
        let world = try await World.make()
        let id = worldID(.thought, 0x201)
        let entry: SQL = "select (ctid, xmin)::text from search_entries where id = \(worldUUID(0x201))"
        let before = try await world.texts(entry)
        #expect(before.count == 1)
        for mutation in [
            "likeThought(input: { thoughtId: \"\(id)\" })", "rateThought(input: { thoughtId: \"\(id)\", stars: 4 })",
            "saveThought(input: { thoughtId: \"\(id)\" })", "shareThought(input: { thoughtId: \"\(id)\" })",
            "addComment(input: { subjectId: \"\(id)\", text: \"x\" })",
        ] {
            #expect(try await world.ask("mutation { \(mutation) { clientMutationId } }", as: .mod).isData)
        }
        #expect(try await world.texts(entry) == before)
        let onThoughts: SQL = """
            select indexrelid::regclass::text from pg_index where indrelid = 'thoughts'::regclass \
            and (indexprs is not null or pg_get_indexdef(indexrelid) like '% gin %')
            """
        #expect(try await world.texts(onThoughts) == [])
        await world.shutdown()
    }

    /// Titles before texts, newer before older, and every page goes on where the last one ended, whatever is written
    /// meanwhile.
    @Test func pagesGoOnWhereTheLastEnded() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into thoughts (id, author_id, category, title, text, status, published_at)
                select ('019b7700-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
                  '019b7600-0000-7000-8000-00000000000a', 'FUNNY', case when n % 7 = 0 then 'Quokka' end, 'quokka ' || n,
                  'PUBLISHED', date_trunc('milliseconds', now()) - n % 50 * interval '1 day'
                from generate_series(1, 120) n
                """)
        var seen: [String] = []
        var after = ""
        repeat {
            let answer = try await world.ask(
                """
                { search(query: "quokka", first: 11\(after)) { nodes { ... on Thought { id title } } \
                pageInfo { hasNextPage endCursor } } }
                """, as: .nobody)
            seen += Self.ids(answer)
            guard answer["search", "pageInfo", "hasNextPage"] == .boolean(true) else { break }
            after = ", after: \"\(try #require(answer.string("search", "pageInfo", "endCursor")))\""
            // What is newer than the first page is of another search.
            _ = try await world.ask(
                "mutation { createThought(input: { category: FUNNY, title: \"Quokka\", text: \"x\" }) { clientMutationId } }",
                as: .ben)
        } while seen.count <= 120
        #expect(seen.count == 120)
        #expect(Set(seen).count == 120)
        let first = (1...120).filter { $0 % 7 == 0 }.map {
            TypeID(.thought, UUID(high: 0x019b_7700_0000_7000, low: 0x8000_0000_0000_0000 | UInt64($0))).description
        }
        #expect(Set(seen.prefix(first.count)) == Set(first))
        await world.shutdown()
    }

    /// Any text is a search: operators, quotes and what no language has are no more than characters.
    @Test func everyTextHasAnAnswer() async throws {
        let world = try await World.make()
        let odd = [
            "", " ", "'", "''", "\\", "\\'", "a:*", ":*", "!a", "a & b", "a | !b", "a <-> b", "a <999999> b", "(", "a)",
            "(a", "'; drop table users; --", "$1", "%", "a:ABCD", "\u{0}", "a\u{0}b", "\u{FEFF}", "\u{202E}abc",
            "\u{301}",
            "e\u{301}", "ß", "İ", "日本語", "👨‍👩‍👧‍👦", "\u{1F3FB}", "\u{FDFA}", "ﬁ", "Ⅷ", "𝔘𝔫𝔦", "\u{10FFFF}", "<b>x</b>",
            "&amp;",
            "http://x.y/z?a=b#c", "a@b.c", "-1.5e-10", "1e999", "a-b-c", "../../etc",
            String(repeating: "a", count: 5000),
            String(repeating: "a ", count: 1000), String(repeating: "'\\", count: 500),
            String(repeating: "ﷺ", count: 300),
        ]
        for text in odd {
            let answer = try await world.ask(Self.search(text), as: .ben)
            #expect(answer.isData, "\(text.debugDescription): \(answer.text)")
        }
        var generator = SeededGenerator(seed: 20_260_119)
        let pieces = [
            "'", "\\", ":*", "&", "|", "!", "<->", "(", ")", " ", "a", "ana", "é", "\u{301}", "_", "1", ".", "\u{0}",
        ]
        for _ in 0..<300 {
            var text = ""
            for _ in 0..<Int.random(in: 1...24, using: &generator) {
                if Bool.random(using: &generator) {
                    text += pieces.randomElement(using: &generator) ?? ""
                } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator)) {
                    text.unicodeScalars.append(scalar)
                }
            }
            let answer = try await world.ask(Self.search(text), as: .nobody)
            #expect(answer.isData, "\(text.debugDescription): \(answer.text)")
        }
        #expect(try await world.number("select count(*) from users") == 4)
        await world.shutdown()
    }

    /// Rare words are looked up in the indexes, frequent ones among the newest entries; neither way reads a whole table.
    @Test(arguments: [("4711", "Bitmap Index Scan search_entries_of_"), ("thought", "search_entries_newest")])
    func isPlannedForItsWords(_ query: String, _ index: String) async throws {
        let world = try await World.make(from: .large)
        let arguments = InputObject([(name: "query", value: .string(query)), (name: "first", value: .int(20))])
        let explainer = try await PlanExplainer(world.url, pool: "slow")
        let plan = try await explainer.plan(try SearchMatches(arguments).sql)
        #expect(plan.description.contains(index), "\(plan)")
        // Which accounts are deleted is read as a whole: hardly any.
        #expect(!plan.description.replacing("Seq Scan deleted_accounts", with: "").contains("Seq Scan"), "\(plan)")
        await explainer.close()
        await world.shutdown()
    }
}
