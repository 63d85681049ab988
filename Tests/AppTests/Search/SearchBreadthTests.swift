import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App

@Suite(.serialized) struct SearchBreadthTests {
    private func post(_ text: String, in world: World) async throws -> String {
        let answer = try await world.ask(
            "mutation { createThought(input: { category: SERIOUS, text: \"\(text)\" }) { thought { id } } }", as: .ana)
        return try #require(answer.string("createThought", "thought", "id"), "\(answer.text)")
    }

    private func texts(_ query: String, _ more: String = "", in world: World) async throws -> [String] {
        let answer = try await world.ask(
            "{ search(query: \"\(query)\", kinds: [THOUGHT]\(more)) { nodes { ... on Thought { text } } } }",
            as: .nobody)
        guard case .list(let nodes) = answer["search", "nodes"] else {
            Issue.record("\(answer.text)")
            return []
        }
        return nodes.compactMap { node in
            guard case .object(let node) = node, case .string(let text) = node["text"] else { return nil }
            return text
        }
    }

    private func learn(in world: World) async throws {
        let maintenance = SearchIndexMaintenance(world.environment)
        try await eventually("nothing is left to learn") { try await !maintenance.learn() }
    }

    @Test func symbolsAndEmojiAreWords() async throws {
        let world = try await World.make()
        for text in ["We write C++ here", "We write C# there", "Only C", "🎉 at last 🇪🇸", "👍🏽 for you", "❤️ you"] {
            _ = try await post(text, in: world)
        }
        for (query, found) in [
            ("C++", ["We write C++ here"]), ("c#", ["We write C# there"]), ("C", ["Only C"]), ("🎉", ["🎉 at last 🇪🇸"]),
            ("🇪🇸", ["🎉 at last 🇪🇸"]), ("🇫🇷", []), ("👍", ["👍🏽 for you"]), ("👍🏿 you", ["👍🏽 for you"]), ("❤", ["❤️ you"]),
            ("write c++", ["We write C++ here"]), ("🦄", []),
        ] {
            let own = try await texts(query, in: world)
            if query == "C" {
                #expect(Set(own) == ["Only C", "We write C++ here", "We write C# there"])
                #expect(own.count == 3)
            } else {
                #expect(own == found, "\(query)")
            }
        }
        await world.shutdown()
    }

    @Test func scriptsWithoutSpacesAreFoundWithin() async throws {
        let world = try await World.make()
        for text in ["今日は東京都に行きます", "京都の春", "Swiftプログラミング", "안녕하세요 여러분", "สวัสดีครับ"] {
            _ = try await post(text, in: world)
        }
        for (query, found) in [
            ("東京", ["今日は東京都に行きます"]), ("東京都", ["今日は東京都に行きます"]), ("春", ["京都の春"]), ("す", ["今日は東京都に行きます"]),
            ("都", ["京都の春", "今日は東京都に行きます"]), ("プログラ", ["Swiftプログラミング"]), ("swift", ["Swiftプログラミング"]),
            ("ﾌﾟﾛｸﾞﾗﾑ", []), ("ﾌﾟﾛｸﾞﾗ", ["Swiftプログラミング"]), ("하세", ["안녕하세요 여러분"]), ("여러분 안녕", ["안녕하세요 여러분"]),
            ("สวัส", ["สวัสดีครับ"]), ("東京 春", []),
        ] {
            #expect(try await Set(texts(query, in: world)) == Set(found), "\(query)")
        }
        await world.shutdown()
    }

    /// A word of a language with spaces that has one or two letters stays the whole word.
    @Test func wordsAreBeginningsOnlyWhereLittleIsFound() async throws {
        let world = try await World.make()
        for text in ["Programming at night", "The programme of tonight", "я читаю", "ясно читаю"] {
            _ = try await post(text, in: world)
        }
        #expect(try await Set(texts("progr night", in: world)) == ["Programming at night"])
        #expect(try await texts("progr at ni", in: world) == ["Programming at night"])
        #expect(try await texts("pr of ton", in: world) == [])
        #expect(try await texts("я чит", in: world) == ["я читаю"])
        // Ten that have the word itself: nothing else is looked for.
        for number in 1...10 { _ = try await post("night prog \(number)", in: world) }
        #expect(try await texts("prog night", in: world).count == 10)
        #expect(try await texts("prog night 4", in: world) == ["night prog 4"])
        // Nine: those that only begin with it come behind.
        try await world.execute(script: "delete from thoughts where text = 'night prog 10'")
        let found = try await texts("prog night", in: world)
        #expect(found.count == 10)
        #expect(found.last == "Programming at night")
        await world.shutdown()
    }

    @Test func oneSlipIsForgivenInLongWords() async throws {
        let world = try await World.make()
        for text in ["Philosophy for breakfast", "A quick hello", "Zebra crossing", "Cat food"] {
            _ = try await post(text, in: world)
        }
        try await learn(in: world)
        for query in ["philosphy", "philosophhy", "philosofhy", "phliosophy", "philosphy breakfats", "PHILOSÓFHY"] {
            #expect(try await texts(query, in: world) == ["Philosophy for breakfast"], "\(query)")
        }
        #expect(try await texts("hallo", in: world) == ["A quick hello"])
        #expect(try await texts("helol", in: world) == ["A quick hello"])
        #expect(try await texts("hlelo zebra", in: world) == [])
        #expect(try await texts("philsphy", in: world) == [])
        #expect(try await texts("zbra", in: world) == [])
        #expect(try await texts("cta food", in: world) == [])
        // What comes later is learnt, too, and what is nowhere any more is forgotten by the next walk.
        _ = try await post("Extraordinary", in: world)
        try await learn(in: world)
        #expect(try await texts("extraordinray", in: world) == ["Extraordinary"])
        try await world.execute(script: "delete from thoughts where text = 'Zebra crossing'")
        try await world.execute(script: "update search_walk set ended_at = now() - interval '2 days'")
        try await learn(in: world)
        try await learn(in: world)
        #expect(
            try await world.texts("select word from search_vocabulary where word in ('zebra', 'philosophy')") == [
                "philosophy"
            ])
        await world.shutdown()
    }

    @Test func slipsAreOneLetter() async throws {
        let world = try await World.make()
        for (one, other, isSlip) in [
            ("hello", "hello", true), ("hello", "hallo", true), ("hello", "hell", true), ("hell", "hello", true),
            ("hello", "ehllo", true), ("hello", "helol", true), ("hello", "hlleo", false), ("hello", "help", false),
            ("hello", "helloss", false), ("abcde", "xbcdy", false), ("aabb", "abab", true), ("", "a", true),
            ("żółty", "żółt", true), ("żółty", "zółte", false),
        ] {
            #expect(
                try await world.number("select is_one_slip(\(one), \(other))::int") == (isSlip ? 1 : 0),
                "\(one) \(other)")
        }
        await world.shutdown()
    }

    /// All pages of a widened search are as wide as the first.
    @Test func pagesAreAsWideAsTheFirst() async throws {
        let world = try await World.make()
        for number in 1...8 { _ = try await post("Wonderful number \(number)", in: world) }
        try await learn(in: world)
        var seen: [String] = []
        var after = ""
        repeat {
            let answer = try await world.ask(
                """
                { search(query: "wonderfull number", first: 3\(after)) { nodes { ... on Thought { text } } \
                pageInfo { hasNextPage endCursor } } }
                """, as: .nobody)
            guard case .list(let nodes) = answer["search", "nodes"] else { break }
            for case .object(let node) in nodes { if case .string(let text) = node["text"] { seen.append(text) } }
            guard answer["search", "pageInfo", "hasNextPage"] == .boolean(true) else { break }
            after = ", after: \"\(try #require(answer.string("search", "pageInfo", "endCursor")))\""
            // Enough for the narrowest search.
            for _ in 1...5 { _ = try await post("wonderfull number", in: world) }
        } while seen.count < 20
        #expect(Set(seen) == Set((1...8).map { "Wonderful number \($0)" }))
        #expect(seen.count == 8)
        await world.shutdown()
    }

    /// Among 200,000 thoughts no search reads a whole table, however wide it is.
    @Test func isPlannedForLargeLists() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into search_entries
                select ('019b7700-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'THOUGHT', now() - n * interval '1 second',
                  setweight(array_to_tsvector(array['thought', 'word' || chr(97 + n % 26) || chr(97 + n / 26 % 26), 'number' || n,
                    'rare' || translate(to_hex(n / 10), '0123456789', 'ghijklmnop')]), 'B')
                from generate_series(1, 200000) n;
                insert into search_vocabulary
                select distinct lexeme, 1 from search_entries, unnest(words)
                where lexeme ~ '^[^\\d''\\\\]{5,24}$' on conflict do nothing;
                """)
        try await world.execute(script: "vacuum analyze search_entries")
        try await world.execute(script: "vacuum analyze search_vocabulary")
        let explainer = try await PlanExplainer(world.url, pool: "slow")
        for (query, index) in [
            ("number4711", "Bitmap Index Scan search_entries_of_thoughts"), ("thought", "search_entries_newest"),
            ("wordab number4711", "Bitmap Index Scan search_entries_of_thoughts"),
            ("rareihgg thought", "Bitmap Index Scan search_entries_of_thoughts"),
        ] {
            var search: SearchMatches? = try SearchMatches(
                InputObject([(name: "query", value: .string(query)), (name: "first", value: .int(20))]))
            while let narrower = search {
                let plan = try await explainer.plan(narrower.sql)
                #expect(plan.description.contains(index), "\(query): \(plan)")
                #expect(
                    !plan.description.replacing("Seq Scan deleted_accounts", with: "").contains("Seq Scan"),
                    "\(query): \(plan)")
                search = narrower.widened(found: 0)
            }
        }
        let variants = try await explainer.plan(
            "select word from search_vocabulary v where search_variants(v.word) && search_variants(\("wordab"))")
        #expect(variants.description.contains("search_vocabulary_of_variants"), "\(variants)")
        await explainer.close()
        await world.shutdown()
    }
}
