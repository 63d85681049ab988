import Foundation
import Migrations
import Postgres
import TestSupport
import Testing

@testable import App

/// A search in plain letters finds words in a language's own letters and with its marks, and the other way round.
@Suite(.serialized) struct PlainLettersTests {
    @Test func eitherSpellingFindsTheOther() async throws {
        let world = try await World.make()
        for (written, plain) in [
            ("Đà Nẵng", "da nang"), ("Łódź", "lodz"), ("Straße", "strasse"), ("GROẞ", "gross"),
            ("Ørsted", "orsted"), ("Ærø", "aero"), ("Işık", "isik"), ("ISPARTA", "isparta"), ("IĞDIR", "igdir"),
            ("İzmir", "izmir"), ("Þingvellir", "thingvellir"), ("Reyðarfjörður", "reydarfjordur"),
            ("Œuvre", "oeuvre"), ("Ħamrun", "hamrun"), ("Sámi Ŋŋ", "sami nn"), ("Čačak", "cacak"),
            ("Ǿre", "ore"), ("col·lecció", "colleccio"), ("paraŀlel", "parallel"),
            ("Basel·Zürich", "basel zurich"), ("ƖSƖLƖ", "ɩsɩlɩ"), ("Kɛlɛ Ɓamako", "kele bamako"),
            ("Qurʾān", "quran"), ("Donau\u{AD}dampf", "donaudampf"), ("Oʻahu", "o'ahu"),
            ("ΟΔΥΣΣΕΥΣ", "οδυσσεύς"), ("ёлка", "елка"), ("مُحَمَّد", "محمد"), ("كتـــاب", "كتاب"),
            ("أسامة", "اسامه"), ("مستشفى", "مستشفي"), ("ٱلرَّحْمٰن", "الرحمن"), ("إِنَّهُۥ", "انه"),
            ("خانۀ", "خانه"), ("فارسی", "فارسي"), ("کابل", "كابل"), ("שָׁלוֹם", "שלום"), ("ײִדיש", "יידיש"),
            ("ש\u{FE00}לום", "שלום"), ("בְּרֵאשִׁית", "בראשית"), ("ﺳﻼﻡ", "سلام"),
        ] {
            for (text, query) in [(written, plain), (plain, written)] {
                let id = try await post(text, in: world)
                #expect(try await found(query, in: world) == [id], "\(query) in \(text)")
                #expect(try await found(String(query.dropLast()), in: world) == [id], "\(query.dropLast()) in \(text)")
                try await world.execute(script: "delete from thoughts where author_id = '\(worldUUID(0xC))'")
            }
        }
        await world.shutdown()
    }

    @Test func namesAreSearchedAsTextsAre() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                update users set display_name = 'Søren Łukasiewicz' where id = '\(worldUUID(0xB))';
                update events set location = 'Hauptstraße, Köln' where id = '\(worldUUID(0x301))';
                """)
        #expect(try await found("soren lukasiewicz", in: world) == [worldID(.user, 0xB)])
        #expect(try await found("hauptstrasse", in: world) == [worldID(.event, 0x301)])
        await world.shutdown()
    }

    /// The file has the letters of the extension unaccent, whose licence stands in migrations/0022_plain_letters.sql. The
    /// extension's rules for signs (© as "(C)") do not hold, for a sign is no word.
    @Test func everyLetterOfTheRulesIsPlain() async throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "unaccent-letters.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1119)
        let world = try await World.make()
        for line in lines {
            let parts = line.split(separator: " ", maxSplits: 1)
            let (letter, plain) = ("ll\(parts[0])ll", "ll\(parts[1])ll")
            let differs: SQL = """
                select count(*) from search_words(\(letter), null) one, search_words(\(plain), null) other where one <> other
                """
            #expect(try await world.number(differs) == 0, "\(line)")
        }
        await world.shutdown()
    }

    /// The rules have some letters in one case only.
    @Test func caseDoesNotMatter() async throws {
        let world = try await World.make()
        let differing: SQL = """
            select string_agg(letter, ' ') from (select chr(n) as letter from generate_series(192, 125251) n \
            where n not between 55296 and 57343) as letters \
            where lower(letter) <> letter and search_words(letter, null) <> search_words(lower(letter), null)
            """
        #expect(try await world.texts("select coalesce((\(differing)), '')") == [""])
        await world.shutdown()
    }

    /// Entries of the previous release are spelled anew, and the vocabulary forgets their old words.
    @Test func entriesOfTheReleaseBeforeAreFound() async throws {
        let connection = try await TestMigrations.database { connection in
            let earlier = TestMigrations.all.filter { $0.version < 22 }
            try await Migrator(earlier, compatibility: MigrationSources.compatibility, connection: connection).migrate()
            try await connection.execute(
                script: """
                    insert into users (id, username, display_name, bio)
                      values ('\(worldUUID(0xA))', 'soren', 'Søren', 'aus der Schloßallee');
                    insert into thoughts (id, author_id, category, title, text, status, published_at)
                      select ('019b7700-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '\(worldUUID(0xA))', 'FUNNY',
                        'Łódź', 'Schloßallee ' || n, 'PUBLISHED', now() from generate_series(1, 600) n;
                    insert into events (id, author_id, name, location, description, starts_at, ends_at)
                      values ('\(worldUUID(0x301))', '\(worldUUID(0xA))', 'Ærø', 'Schloßallee', 'x', now(), now());
                    """)
            while try await connection.run(Batch(sql: "select learn_search_words()")) == [true] {}
            try await TestMigrations.migrator(connection).migrate()
        }
        func matches(_ query: String) async throws -> [String] {
            let sql: SQL = """
                select kind || ' ' || count(*) from search_entries where words @@ search_query(\(query)) \
                group by kind order by kind
                """
            return try await connection.run(CatalogLines(sql: sql))
        }
        #expect(try await matches("schlossallee") == [])
        try await eventually("every entry is spelled") {
            while try await connection.run(Batch(sql: "select spell_search_entries()")) == [true] {}
            return try await connection.run(Batch(sql: "select not is_spelling from search_walk")) == [true]
        }
        #expect(try await matches("schlossallee") == ["EVENT 1", "THOUGHT 600", "USER 1"])
        #expect(try await matches("łódź") == ["THOUGHT 600"])
        #expect(try await matches("søren") == ["USER 1"])
        while try await connection.run(Batch(sql: "select learn_search_words()")) == [true] {}
        let words = CatalogLines(sql: "select word from search_vocabulary where word like 'schlo%'")
        #expect(try await connection.run(words) == ["schlossallee"])
        await connection.close()
    }

    /// Spelling waits for transactions that were open before it, and never replaces the words of a concurrent writer.
    @Test func whatIsWrittenMeanwhileHolds() async throws {
        let world = try await World.make()
        let id = try await post("before", in: world)
        let uuid = try #require(TypeID(id)).uuid
        try await Self.begin(in: world)
        let maintenance = SearchIndexMaintenance(world.environment)
        let writer = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await writer.execute("begin")
        try await writer.execute("update thoughts set text = 'meanwhile' where text = 'before'")
        // The writer's transaction is older than the first call.
        for _ in 1...3 { #expect(try await !maintenance.spell()) }
        #expect(try await world.number("select count(*) from search_entries where words @@ 'earlier'") > 3)
        try await writer.execute("rollback")

        try await Self.begin(in: world)
        try await eventually("every older transaction has ended") {
            _ = try await maintenance.spell()
            return try await world.number("select count(spelled_after) from search_walk") == 1
        }
        try await Self.begin(in: world, from: "spelled_from")
        try await writer.execute("begin")
        try await writer.execute("update thoughts set text = 'meanwhile' where text = 'before'")
        // The entry that the writer holds is not the first, so that the batch ends before it.
        #expect(try await maintenance.spell())
        #expect(try await world.number("select count(*) from search_walk where spelled_after < \(uuid)") == 1)
        try await world.execute(
            script: """
                update search_walk set spelled_after =
                  (select id from search_entries where id < '\(uuid)' order by id desc limit 1)
                """)
        let next = Task { try await maintenance.spell() }
        try await world.untilWaiting(1)
        try await writer.execute("commit")
        await writer.close()
        #expect(try await next.value)
        while try await maintenance.spell() {}
        #expect(try await found("meanwhile", in: world) == [id])
        #expect(try await found("before", in: world) == [])
        #expect(try await world.number("select count(*) from search_entries where words @@ 'earlier'") == 0)
        await world.shutdown()
    }

    /// Gives all entries a word that none should have, and resets the walk to its state after the migration.
    private static func begin(in world: World, from: String = "null") async throws {
        try await world.execute(
            script: """
                update search_entries set words = 'earlier';
                update search_walk set is_spelling = true, spelled_from = \(from), spelled_after = null;
                """)
    }

    private func post(_ text: String, in world: World) async throws -> String {
        let answer = try await world.ask(
            "mutation { createThought(input: { category: SERIOUS, text: \"\(text)\" }) { thought { id } } }", as: .mod)
        return try #require(answer.string("createThought", "thought", "id"), "\(answer.text)")
    }

    private func found(_ query: String, in world: World) async throws -> [String] {
        let answer = try await world.ask(
            "{ search(query: \"\(query)\") { nodes { ... on Node { id } } } }", as: .nobody)
        guard case .list(let nodes) = answer["search", "nodes"] else {
            Issue.record("\(answer.text)")
            return []
        }
        return nodes.compactMap { node in
            guard case .object(let node) = node, case .string(let id) = node["id"] else { return nil }
            return id
        }
    }
}

private struct Batch: Statement {
    let sql: SQL
    func decode(_ row: Row) -> Bool { row.bool(0) }
}
