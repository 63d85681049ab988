import Postgres
import Testing

@testable import App

/// An account's images can be deleted by it: what shows them shows none then, and their bytes are free.
@Suite struct DeleteImageTests {
    private static let image = worldID(.image, 0x501)
    private static let delete = "mutation { deleteImage(input: {id: \"\(image)\"}) { deletedId userErrors { code } } }"
    /// Where ana's image is shown.
    private static let uses = """
        update thoughts set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x201))';
        update events set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x302))';
        update users set avatar_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0xA))';
        update messages set image_id = '\(worldUUID(0x501))' where id in ('\(worldUUID(0x701))', '\(worldUUID(0x703))');
        """
    private static let shown: SQL = """
        select (select count(*) from thoughts where image_id = \(worldUUID(0x501))) \
        + (select count(*) from events where image_id = \(worldUUID(0x501))) \
        + (select count(*) from users where avatar_id = \(worldUUID(0x501))) \
        + (select count(*) from messages where image_id = \(worldUUID(0x501)))
        """
    private static let contents: SQL = "select count(*) from image_contents where octet_length(sha256) = 32"

    @Test func itMakesRoom() async throws {
        let size = SamplePNG().bytes.count
        let world = try await World.make { $0.imageQuota = 2 * size + 1 }
        let first = try await world.upload(as: .ben)
        _ = try await world.upload(as: .ben)
        let upload = "uploadImage(file: $file) { userErrors { code field } }"
        #expect(try await world.send(upload, SamplePNG().bytes, as: .ben).userErrors == ["QUOTA_EXCEEDED file"])
        let delete = "deleteImage(input: {id: \"\(first)\"}) { viewer { storage { usedBytes } } }"
        let answer = try await world.ask("mutation { \(delete) }", as: .ben)
        #expect(answer.int("deleteImage", "viewer", "storage", "usedBytes") == size + 1)
        #expect(try await world.send(upload, SamplePNG().bytes, as: .ben).isData)
        await world.shutdown()
    }

    @Test func whatShowsItIsChanged() async throws {
        let live = try await LiveWorld.make()
        try await live.world.execute(script: Self.uses)
        try await live.settle()
        let feed = try await live.subscribe("feedChanges { kind nodeId node { image { id } } }", as: .ben)
        let messages = try await live.subscribe("messageChanges { kind nodeId node { image { id } } }", as: .mod)
        let viewer = try await live.subscribe("viewerChanges { viewer { user { avatar { id } } } }", as: .ana)
        #expect(try await live.world.ask(Self.delete, as: .ana).isData)
        let changes = try await feed.take(2)
        #expect(
            Set(changes.map { $0.string("feedChanges", "nodeId") }) == [
                worldID(.thought, 0x201), worldID(.event, 0x302),
            ])
        for change in changes {
            #expect(change.string("feedChanges", "kind") == "CHANGED")
            #expect(change["feedChanges", "node", "image"] == .null)
        }
        let message = try await messages.take(1)[0]
        #expect(message.string("messageChanges", "nodeId") == worldID(.message, 0x703))
        #expect(message["messageChanges", "node", "image"] == .null)
        #expect(try await viewer.take(1)[0]["viewerChanges", "viewer", "user", "avatar"] == .null)
        #expect(try await live.world.number(Self.shown) == 0)
        await live.shutdown()
    }

    /// Readers of the change log wait for the oldest transaction.
    @Test func whatVeryManyThingsShowGoesInBatches() async throws {
        let world = try await World.make()
        try await world.execute(
            script: Self.uses + """
                insert into thoughts (id, author_id, category, text, status, image_id)
                select gen_random_uuid(), '\(worldUUID(0xA))', 'FUNNY', 'x', 'DRAFT', '\(worldUUID(0x501))'
                from generate_series(1, 1300);
                truncate change_log;
                """)
        #expect(try await world.ask(Self.delete, as: .ana).isData)
        #expect(try await world.number(Self.shown) == 0)
        #expect(try await world.number("select count(*) from images where id = \(worldUUID(0x501))") == 0)
        let most = try await world.number("select max(n) from (select count(*) from change_log group by xid) as x (n)")
        #expect(most <= Int(AccountBatch.size))
        await world.shutdown()
    }

    @Test func aMessageThatShowedItAloneIsEmpty() async throws {
        let world = try await World.make()
        try await world.execute(script: Self.uses + "update messages set text = '' where id = '\(worldUUID(0x701))'")
        #expect(try await world.ask(Self.delete, as: .ana).isData)
        let read = "{ node(id: \"\(worldID(.message, 0x701))\") { ... on Message { text image { id } } } }"
        let answer = try await world.ask(read, as: .ben)
        #expect(answer.string("node", "text") == "")
        #expect(answer["node", "image"] == .null)
        await world.shutdown()
    }

    @Test func whatIsReportedIsKeptForModerators() async throws {
        let world = try await World.make()
        let image = try await world.upload(as: .ana)
        let post = "createThought(input: {category: FUNNY, text: \"x\", imageId: \"\(image)\"}) { thought { id } }"
        let thought = try #require(
            try await world.ask("mutation { \(post) }", as: .ana).string("createThought", "thought", "id"))
        let reporting = "reportContent(input: {subjectId: \"\(thought)\", reason: SPAM}) { report { id } }"
        let report = try #require(
            try await world.ask("mutation { \(reporting) }", as: .ben).string("reportContent", "report", "id"))
        let delete = "deleteImage(input: {id: \"\(image)\"}) { viewer { storage { usedBytes } } }"
        let deleted = try await world.ask("mutation { \(delete) }", as: .ana)
        #expect(deleted.int("deleteImage", "viewer", "storage", "usedBytes") == 1)
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.contents) == 1)

        let kept = "{ node(id: \"\(report)\") { ... on Report { keptImages { id url byteSize } } } }"
        #expect(try await world.ask(kept, as: .ben).text.contains("\"keptImages\":[]"))
        let answer = try await world.ask(kept, as: .mod).text
        let address = try #require(answer.firstMatch(of: /"url":"([^"]+)"/)).output.1
        let file = try #require(try await world.file(at: String(address)))
        #expect(try await world.environment.imageBytes(file) == SamplePNG().bytes)
        // The addresses that the image had end with it, signed ones before they expire.
        #expect(!address.contains(image))
        let query = world.environment.imageSignature.query(
            for: try #require(TypeID(image)).uuid, now: world.environment.unixSeconds)
        for query in ["", query] { #expect(try await world.file(at: "/images/\(image)\(query)") == nil) }

        let resolving = "resolveReport(input: {id: \"\(report)\", removeContent: false})"
        let resolved = try await world.ask("mutation { \(resolving) { report { keptImages { id } } } }", as: .mod)
        #expect(resolved.isData && resolved.text.contains("\"keptImages\":[]"), "\(resolved.text)")
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.contents) == 0)
        #expect(try await world.file(at: String(address)) == nil)
        await world.shutdown()
    }

    /// Nobody fills the store behind a report.
    @Test func whatCameAfterTheReportIsNotKept() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into reports (id, reporter_id, subject_type, subject_id, reason, created_at) values
                  ('\(worldUUID(0xE01))', '\(worldUUID(0xB))', 'thought', '\(worldUUID(0x201))', 'SPAM', '2026-01-01');
                \(Self.uses)
                """)
        #expect(try await world.ask(Self.delete, as: .ana).isData)
        #expect(try await world.number("select count(*) from report_images") == 0)
        await world.shutdown()
    }

    @Test func amongWhatUsesIt() async throws {
        let world = try await World.make(writers: 8)
        let (image, thought) = (worldID(.image, 0x502), worldID(.thought, 0x202))
        let answers = try await concurrently(160) { number in
            let field =
                switch number % 5 {
                case 0: "updateThought(input: {id: \"\(thought)\", imageId: \"\(image)\"})"
                case 1: "updateThought(input: {id: \"\(thought)\", imageId: null})"
                case 2: "updateThought(input: {id: \"\(thought)\", text: \"\(number)\"})"
                case 3: "createThought(input: {category: FUNNY, text: \"x\", imageId: \"\(image)\"})"
                default:
                    number < 100
                        ? "updateProfile(input: {avatarId: \"\(image)\"})" : "deleteImage(input: {id: \"\(image)\"})"
                }
            return try await world.ask("mutation { \(field) { clientMutationId } }", as: .ben)
        }
        #expect(answers.codes.isSubset(of: ["OK", "NOT_FOUND"]), "\(answers.codes)")
        #expect(stride(from: 104, to: 160, by: 5).contains { answers[$0].isData })
        #expect(try await world.number("select count(*) from images where id = \(worldUUID(0x502))") == 0)
        // Deadlocks are not counted. A thought may take the image after deleteImage has locked the image's uses. The
        // update that drops the image again holds the thought and waits for the image, deleteImage holds the image and
        // waits for the thought. PostgreSQL ends one of the two transactions, and the mutation runs again.
        await world.shutdown()
    }
}
