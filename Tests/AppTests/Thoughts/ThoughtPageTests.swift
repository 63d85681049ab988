import Cryptography
import Testing

@testable import App

/// The page behind a public link.
@Suite struct ThoughtPageTests {
    private func html(_ world: World, _ id: String) async throws -> String? {
        try await world.environment.thoughtPage(id: id).map { String(decoding: $0.html, as: UTF8.self) }
    }

    @Test func showsTitleTextAuthorAndTags() async throws {
        let world = try await World.make()
        let html = try #require(try await html(world, worldID(.thought, 0x201)))
        let address = "http://localhost:8080/thoughts/\(worldID(.thought, 0x201))"
        for part in [
            "<title>First · Ana</title>", "<h1 dir=\"auto\">First</h1>", "<p dir=\"auto\">Ana&#39;s first.</p>",
            "<link rel=\"canonical\" href=\"\(address)\">", "<meta property=\"og:url\" content=\"\(address)\">",
            "<meta property=\"og:type\" content=\"article\">", "<meta property=\"og:title\" content=\"First\">",
            "<meta property=\"og:description\" content=\"Ana&#39;s first.\">",
            "<meta property=\"article:author\" content=\"Ana\">",
            "<meta property=\"article:published_time\" content=\"2026-01-03T10:00:00.000Z\">",
        ] {
            #expect(html.contains(part), "\(part)")
        }
        #expect(!html.contains("og:image"))
        let share = try await world.ask(
            "mutation { shareThought(input: {thoughtId: \"\(worldID(.thought, 0x201))\"}) { url } }", as: .ben)
        #expect(share.string("shareThought", "url") == address)
        await world.shutdown()
    }

    @Test func escapesWhatPeopleWrote() async throws {
        let world = try await World.make()
        let attack = "\"><script>alert(1)</script>&amp;'"
        try await world.execute(
            script: """
                update thoughts set title = $$\(attack)$$, text = $$\(attack)$$ where id = '\(worldUUID(0x201))';
                update users set display_name = $$\(attack)$$ where id = '\(worldUUID(0xA))';
                """)
        let html = try #require(try await html(world, worldID(.thought, 0x201)))
        #expect(!html.contains("<script"))
        let escaped = "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&#39;"
        #expect(html.split(separator: escaped, omittingEmptySubsequences: false).count == 9)
        await world.shutdown()
    }

    @Test func withoutATitleTheTextIsCut() async throws {
        let world = try await World.make()
        let id = worldUUID(0x201)
        try await world.execute(
            script: """
                update thoughts set title = null, text = repeat('👩‍👩‍👧 ', 300), image_id = '\(worldUUID(0x501))'
                where id = '\(id)'
                """)
        let html = try #require(try await html(world, worldID(.thought, 0x201)))
        let words = String(repeating: "👩‍👩‍👧 ", count: 100)
        #expect(html.contains("<meta property=\"og:title\" content=\"\(words.prefix(70))…\">"))
        #expect(html.contains("<meta property=\"og:description\" content=\"\(words.prefix(200))…\">"))
        #expect(!html.contains("<h1"))
        let image = "http://localhost:8080/images/\(worldID(.image, 0x501))"
        #expect(html.contains("<meta property=\"og:image\" content=\"\(image)\">"))
        await world.shutdown()
    }

    @Test func thereIsNoneOfWhatNotEveryoneSees() async throws {
        let world = try await World.make()
        for id in [
            worldID(.thought, 0x204), worldID(.thought, 0x2FF), worldID(.event, 0x301), "", "thought_", "../../etc",
        ] {
            #expect(try await html(world, id) == nil, "\(id)")
        }
        let mutation = "unpublishThought(input: {id: \"\(worldID(.thought, 0x201))\"}) { userErrors { code } }"
        #expect(try await world.ask("mutation { \(mutation) }", as: .ana).isData)
        #expect(try await html(world, worldID(.thought, 0x201)) == nil)
        await world.shutdown()
    }

    @Test func thePolicyNamesTheStyleByItsHash() async throws {
        let world = try await World.make()
        let html = try #require(try await html(world, worldID(.thought, 0x201)))
        let style = html.split(separator: "<style>")[1].split(separator: "</style>")[0]
        let hash = Base64.standard.encode(SHA256.digest(of: String(style)).bytes)
        #expect(ThoughtPage.contentSecurityPolicy.contains("style-src 'sha256-\(hash)='"))
        #expect(ThoughtPage.contentSecurityPolicy.hasPrefix("default-src 'none'; "))
        await world.shutdown()
    }
}
