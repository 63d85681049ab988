import Postgres
import Testing

@testable import App

@Suite struct ImageSweepTests {
    private static let images: SQL = "select count(*) from images"
    private static let contents: SQL = "select count(*) from image_contents where octet_length(sha256) = 32"
    private static let waiting: SQL = "select count(*) from images where check_at is not null"

    @Test func whatNothingUsesGoesAfterADay() async throws {
        let world = try await World.make()
        try await world.execute(script: "delete from images")
        let unused = try await world.upload(picture(1), as: .ana)
        let used = try await world.upload(picture(2), as: .ana)
        let shared = try await world.upload(picture(1), as: .ben)
        #expect(try await world.ask(Self.use(used), as: .ana).isData)
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.images) == 3, "within the day")
        // Ben's comes a day later.
        try await world.execute(
            script: """
                update images set check_at = check_at - interval '1 day 1 second'
                where owner_id = '\(worldUUID(0xA))'
                """)
        await Housekeeping(world.environment).sweep()
        #expect(try await world.ask("{ node(id: \"\(unused)\") { id } }", as: .ana)["node"] == .null)
        #expect(try await world.number(Self.images) == 2)
        #expect(try await world.number(Self.contents) == 2, "ben's has the same bytes")
        #expect(try await world.number(Self.waiting) == 1)
        try await world.wait(days: 1)
        await Housekeeping(world.environment).sweep()
        #expect(try await world.ask("{ node(id: \"\(shared)\") { id } }", as: .ben)["node"] == .null)
        #expect(try await world.number(Self.images) == 1)
        #expect(try await world.number(Self.contents) == 1)
        #expect(try await world.number("select count(*) from released_image_contents") == 0)
        await world.shutdown()
    }

    private static func use(_ image: String) -> String {
        "mutation { createThought(input: {category: FUNNY, text: \"x\", imageId: \"\(image)\"}) { thought { id } } }"
    }

    /// Each kind of use holds it; a day after it is let go of, it goes.
    @Test func usesHoldAnImage() async throws {
        let id = worldUUID(0x501)
        let uses = [
            ("thoughts", "image_id = '\(id)'", "image_id = null", 0x204 as UInt64),
            ("events", "image_id = '\(id)'", "image_id = null", 0x301),
            ("users", "avatar_id = '\(id)'", "avatar_id = null", 0xB),
            ("messages", "image_id = '\(id)'", "", 0x701),
        ]
        let world = try await World.make()
        for (table, use, release, row) in uses {
            let isThere: SQL = "select count(*) from images where id = \(id)"
            try await world.execute(script: "update \(table) set \(use) where id = '\(worldUUID(row))'")
            try await world.wait(days: 1)
            await Housekeeping(world.environment).sweep()
            #expect(try await world.number(isThere) == 1, "\(table)")
            #expect(try await world.number(Self.waiting) == 0)
            try await world.execute(
                script: release.isEmpty
                    ? "delete from \(table) where id = '\(worldUUID(row))'"
                    : "update \(table) set \(release) where id = '\(worldUUID(row))'")
            await Housekeeping(world.environment).sweep()
            #expect(try await world.number(isThere) == 1, "let go of a moment ago")
            try await world.wait(days: 1)
            await Housekeeping(world.environment).sweep()
            #expect(try await world.number(isThere) == 0, "\(table)")
            try await world.reset()
        }
        await world.shutdown()
    }

    @Test func theDeletionOfWhatShowedItLetsGoOfIt() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                update thoughts set image_id = '\(worldUUID(0x501))' where id = '\(worldUUID(0x201))';
                update events set image_id = '\(worldUUID(0x502))' where id = '\(worldUUID(0x301))';
                """)
        try await world.wait(days: 1)
        await Housekeeping(world.environment).sweep()
        let deletions = [
            (Person.ana, "deleteThought(input: {id: \"\(worldID(.thought, 0x201))\"})"),
            (.ben, "deleteEvent(input: {id: \"\(worldID(.event, 0x301))\"})"),
        ]
        for (person, field) in deletions {
            #expect(try await world.ask("mutation { \(field) { deletedId } }", as: person).isData)
        }
        #expect(try await world.number(Self.waiting) == 2)
        try await world.wait(days: 1)
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.images) == 0)
        await world.shutdown()
    }

    @Test func anAccountsFilesGoWithIt() async throws {
        let world = try await World.make()
        _ = try await world.upload(picture(1), as: .ana)
        _ = try await world.upload(picture(2), as: .ben)
        try await world.execute(script: "delete from users where id = '\(worldUUID(0xA))'")
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number("select count(*) from images where owner_id = \(worldUUID(0xA))") == 0)
        #expect(try await world.number(Self.contents) == 1)
        await world.shutdown()
    }

    @Test func sweepsMoreThanABatch() async throws {
        let world = try await World.make()
        try await world.execute(
            script: """
                insert into image_contents (sha256, bytes)
                select sha256(n::text::bytea), n::text::bytea from generate_series(1, 500) n;
                insert into images (id, owner_id, sha256, mime_type, width, height, byte_size, check_at)
                select gen_random_uuid(), '\(worldUUID(0xA))', sha256(n::text::bytea), 'image/png', 1, 1, 1,
                  now() - interval '1 minute' from generate_series(1, 500) n;
                """)
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number(Self.images) == 2)
        #expect(try await world.number(Self.contents) == 0)
        await world.shutdown()
    }

    /// Who begins to use an image while it is swept finds it there, or is told that it is not.
    @Test func aUseInTheMakingIsWaitedFor() async throws {
        let world = try await World.make()
        let image = try await world.upload(as: .ana)
        let id = try #require(TypeID(image)).uuid
        try await world.wait(days: 1)
        let writer = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
        try await writer.execute("begin")
        try await writer.execute("update thoughts set image_id = \(id) where id = \(worldUUID(0x201))")
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number("select count(*) from images where id = \(id)") == 1)
        try await writer.execute("commit")
        await Housekeeping(world.environment).sweep()
        #expect(try await world.number("select count(*) from images where id = \(id) and check_at is null") == 1)

        let unused = try #require(TypeID(try await world.upload(as: .ana))).uuid
        try await world.wait(days: 1)
        try await writer.execute("begin")
        try await writer.execute("select sweep_images(10)")
        let late = Task { try await world.ask(Self.use(TypeID(.image, unused).description), as: .ana) }
        try await world.untilWaiting(1)
        try await writer.execute("commit")
        #expect(try await late.value.code == "NOT_FOUND")
        await writer.close()
        await world.shutdown()
    }

    /// The same bytes are stored anew while they are swept.
    @Test func contentsThatComeBackAreKept() async throws {
        let world = try await World.make(writers: 4)
        for round in 0..<5 {
            let image = try #require(TypeID(try await world.upload(picture(1), as: .ana))).uuid
            try await world.execute(script: "delete from images where id = '\(image)'")
            let sweeper = try await DedicatedConnection.open(ConnectionConfiguration(world.url))
            try await sweeper.execute("begin")
            try await sweeper.execute("select sweep_image_contents(10)")
            let upload = Task { try await world.upload(picture(1), as: .ben) }
            try await world.untilWaiting(1)
            try await sweeper.execute(round % 2 == 0 ? "commit" : "rollback")
            await sweeper.close()
            _ = try await upload.value
            await Housekeeping(world.environment).sweep()
            #expect(try await world.number(Self.contents) == 1)
        }
        await world.shutdown()
    }
}
