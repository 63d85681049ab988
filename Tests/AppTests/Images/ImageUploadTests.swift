import Postgres
import Testing

@testable import App

/// A file is stored with what it came for, or not at all.
@Suite struct ImageUploadTests {
    private static let images: SQL =
        "select count(*) from images where id not in (\(worldUUID(0x501)), \(worldUUID(0x502)))"
    private static let contents: SQL = "select count(*) from image_contents where octet_length(sha256) = 32"

    private static func create(_ input: String) -> String {
        """
        createThought(input: {category: FUNNY, \(input)}, image: $file) \
        { thought { image { width height mimeType byteSize } } userErrors { code field } }
        """
    }

    @Test func whatIsStoredIsClean() async throws {
        let world = try await World.make()
        let file = SampleJPEG(metadata: [SampleJPEG.exif(SampleEXIF.tiff(orientation: 6))]).bytes
        let answer = try await world.send(Self.create("text: \"x\""), file, as: .ana)
        #expect(answer.isData, "\(answer.text)")
        let stored = try await world.rows(
            Bytes(sql: "select bytes from image_contents where octet_length(sha256) = 32"))
        let clean = try CleanImage(cleaning: file)
        #expect(stored == [clean.bytes])
        #expect(clean.bytes.count < file.count)
        #expect(
            try await world.texts(
                "select concat_ws(' ', mime_type, width, height, byte_size) from images where owner_id = \(worldUUID(0xA)) order by created_at desc limit 1"
            )
                == ["image/jpeg 8 16 \(clean.bytes.count)"])
        #expect(try await world.number("select count(*) from image_contents where sha256 = sha256(bytes)") == 1)
        await world.shutdown()
    }

    @Test func whereTheRowIsRefusedNothingIsStored() async throws {
        let world = try await World.make()
        let taken = worldID(.thought, 0x202)
        let refused: [(String, [UInt8], [String])] = [
            (Self.create("text: \" \""), SamplePNG().bytes, ["REQUIRED text"]),
            (Self.create("text: \"x\""), Array("<svg/>".utf8), ["UNSUPPORTED_MEDIA image"]),
            (Self.create("text: \" \""), Array(SamplePNG().bytes.dropLast(5)), ["REQUIRED text", "INVALID image"]),
            (Self.create("text: \"x\""), SamplePNG(width: 50_000, height: 50_000).bytes, ["TOO_LARGE image"]),
            (Self.create("text: \"x\", id: \"\(taken)\""), SamplePNG().bytes, ["TAKEN id"]),
        ]
        for (field, file, errors) in refused {
            #expect(try await world.send(field, file, as: .ana).userErrors == errors)
        }
        let others = [
            "updateThought(input: {id: \"\(taken)\", text: \"x\"}, image: $file) { thought { id } }",
            "updateEvent(input: {id: \"\(worldID(.event, 0x301))\", name: \"x\"}, image: $file) { event { id } }",
        ]
        for field in others { #expect(try await world.send(field, SamplePNG().bytes, as: .ana).code == "FORBIDDEN") }
        #expect(
            try await world.send(Self.create("text: \"x\""), SamplePNG().bytes, as: .zoe).reason == "SIGN_UP_REQUIRED")
        #expect(
            try await world.send(Self.create("text: \"x\""), SamplePNG().bytes, as: .nobody).code == "UNAUTHENTICATED")
        let name = "updateProfile(input: {username: \"ben\"}, avatar: $file) { userErrors { code field } }"
        #expect(try await world.send(name, SamplePNG().bytes, as: .ana).userErrors == ["TAKEN username"])
        #expect(try await world.number(Self.images) == 0)
        #expect(try await world.number(Self.contents) == 0)
        #expect(try await world.number("select count(*) from thoughts") == 4)
        await world.shutdown()
    }

    /// The same id and owner again: the input is ignored, the file with it.
    @Test func anIdOfTheClientTakesOneFile() async throws {
        let world = try await World.make()
        let field = Self.create("text: \"x\", id: \"\(worldID(.thought, 0x2FF))\"")
        for number in 0..<3 { #expect(try await world.send(field, picture(number), as: .ana).isData) }
        #expect(try await world.number(Self.images) == 1)
        await world.shutdown()
    }

    @Test func theFileTakesThePlaceOfTheImageId() async throws {
        let world = try await World.make()
        let others = worldID(.image, 0x502)
        let answer = try await world.send(
            Self.create("text: \"x\", imageId: \"\(others)\""), SamplePNG().bytes, as: .ana)
        #expect(answer.int("createThought", "thought", "image", "width") == 3)
        await world.shutdown()
    }

    /// A file counts by its bytes: the same is a retry, another is another input.
    @Test func aRetryStoresOnce() async throws {
        let world = try await World.make(writers: 8)
        let field = "uploadImage(file: $file, clientMutationId: \"m1\") { image { id } clientMutationId }"
        let answers = try await concurrently(20) { _ in try await world.send(field, picture(1), as: .ana) }
        #expect(answers.codes == ["OK"])
        #expect(Set(answers.map(\.text)).count == 1)
        #expect(try await world.send(field, picture(2), as: .ana).code == "BAD_USER_INPUT")
        #expect(try await world.number(Self.images) == 1)
        #expect(try await world.number(Self.contents) == 1)
        await world.shutdown()
    }

    /// However many come at once, each finds the room that is really left.
    @Test func theQuotaHoldsForUploadsAtOnce() async throws {
        let size = picture(1).count
        let world = try await World.make(writers: 8) {
            $0.uploads.quota = 0
            // Ana has an image of one byte.
            $0.imageQuota = 1 + 7 * size
        }
        let field = "uploadImage(file: $file) { image { id } userErrors { code message field } }"
        let answers = try await concurrently(30) { try await world.send(field, picture($0), as: .ana) }
        #expect(answers.count { $0.isData } == 7)
        #expect(answers.filter { !$0.isData }.allSatisfy { $0.userErrors == ["QUOTA_EXCEEDED file"] })
        let storage = try await world.ask("{ viewer { storage { usedBytes quotaBytes } } }", as: .ana)
        #expect(storage.int("viewer", "storage", "usedBytes") == 1 + 7 * size)
        #expect(storage.int("viewer", "storage", "quotaBytes") == 1 + 7 * size)
        #expect(
            try await world.send(Self.create("text: \"x\""), picture(1), as: .ana).userErrors == [
                "QUOTA_EXCEEDED image"
            ])
        #expect(try await world.number("select count(*) from thoughts") == 4)
        // It is each account's own.
        #expect(try await world.send(field, picture(1), as: .ben).isData)
        await world.shutdown()
    }

    @Test func uploadsOfAnAccountAreCounted() async throws {
        let world = try await World.make { $0.uploads.quota = 2 }
        let clock = StoppedClock()
        let stopped = world.with { $0.now = { clock.now } }
        let field = "uploadImage(file: $file) { image { id } }"
        for _ in 0..<2 { #expect(try await stopped.send(field, picture(1), as: .ana).isData) }
        for field in [field, Self.create("text: \"x\"")] {
            let limited = try await stopped.send(field, picture(1), as: .ana)
            #expect(limited.code == "RATE_LIMITED")
            #expect(limited.retryAfter == 30)
        }
        #expect(try await stopped.ask("mutation { \(Self.withoutFile) }", as: .ana).isData)
        await world.shutdown()
    }

    private static let withoutFile = "createThought(input: {category: FUNNY, text: \"x\"}) { thought { id } }"
}

struct Bytes: Statement {
    let sql: SQL
    func decode(_ row: Row) -> [UInt8] { row.bytes(0) }
}
