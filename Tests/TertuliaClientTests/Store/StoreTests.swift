import ClientOperations
import Foundation
import GRDB
import Testing

@testable import TertuliaClient

@Suite(.timeLimit(.minutes(10))) struct StoreTests {
    private let folder: TemporaryFolder
    private let server = URL(fileURLWithPath: "/server")

    init() throws { folder = try TemporaryFolder() }

    private func open(account: String = "viewer_1", version: String? = nil) throws -> Store {
        let generated = SchemaDescription.generated
        return try Store(
            folder: folder.url, server: server, account: account,
            schema: SchemaDescription(version: version ?? generated.version, identity: generated.identity))
    }

    private func response(_ data: String, errors: [ResponseError] = []) throws -> Response {
        Response(data: try JSONValue(json: data.utf8).object, errors: errors)
    }

    private let query = OneThoughtQuery(id: "thought_1")

    private static let thought = """
        {"thought":{"__typename":"Thought","id":"thought_1","text":"Hello","likeCount":3,"viewerHasLiked":false,\
        "rating":{"__typename":"RatingSummary","average":4.5,"count":2},\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}}
        """

    @Test func readsWhatItWrote() async throws {
        let store = try open()
        #expect(try await store.read(query).value == nil)
        try await store.write(try response(Self.thought), of: query)
        let read = try await store.read(query)
        #expect(read.isComplete)
        let thought = try #require(read.value?.thought)
        #expect(thought.text == "Hello")
        #expect(thought.rating.average == 4.5)
        #expect(thought.author.person.username == "ana")
        #expect(thought.comments == nil)
    }

    @Test func survivesAnotherProcess() async throws {
        try await open().write(try response(Self.thought), of: query)
        #expect(try await open().read(query).value?.thought?.likeCount == 3)
    }

    /// One object of several queries is one record.
    @Test func normalisesById() async throws {
        let store = try open()
        try await store.write(try response(Self.thought), of: query)
        let later = LaterQuery(id: "thought_1")
        try await store.write(
            try response(#"{"thought":{"__typename":"Thought","id":"thought_1","text":"Edited"}}"#), of: later)
        #expect(try await store.read(query).value?.thought?.text == "Edited")
    }

    @Test func argumentsArePartOfTheKey() async throws {
        let store = try open()
        try await store.write(try response(Self.thought), of: query)
        #expect(try await store.read(OneThoughtQuery(id: "thought_2")).isComplete == false)
        #expect(try await store.read(OneThoughtQuery(id: "thought_1", withComments: true)).isComplete == false)
    }

    @Test func anErrorNeverOverwritesAValue() async throws {
        let store = try open()
        try await store.write(try response(Self.thought), of: query)
        let failed = Self.thought.replacingOccurrences(of: "4.5", with: "null")
            .replacingOccurrences(of: "Hello", with: "New")
        try await store.write(
            try response(failed, errors: [ResponseError("Kaboom", path: ["thought", "rating", "average"])]), of: query)
        let thought = try #require(try await store.read(query).value?.thought)
        #expect(thought.rating.average == 4.5)
        #expect(thought.text == "New")
    }

    /// The error of a field that may not be null travels up: the object itself is null.
    @Test func anErrorBelowKeepsTheWholeObject() async throws {
        let store = try open()
        try await store.write(try response(Self.thought), of: query)
        try await store.write(
            try response(#"{"thought":null}"#, errors: [ResponseError("Kaboom", path: ["thought", "text"])]), of: query)
        #expect(try await store.read(query).value?.thought?.text == "Hello")
    }

    @Test func nullIsAValue() async throws {
        let store = try open()
        try await store.write(try response(Self.thought), of: query)
        try await store.write(try response(#"{"thought":null}"#), of: query)
        let read = try await store.read(query)
        #expect(read.isComplete)
        #expect(read.value?.thought == nil)
    }

    @Test func aDeferredPartComesLater() async throws {
        let store = try open()
        let later = LaterQuery(id: "thought_9")
        try await store.write(
            try response(#"{"thought":{"__typename":"Thought","id":"thought_9","text":"Soon"}}"#), of: later)
        let first = try await store.read(later)
        #expect(first.isComplete)
        #expect(first.value?.thought?.counts == nil)
        try await store.write(
            try response(#"{"thought":{"__typename":"Thought","id":"thought_9","likeCount":1,"commentCount":2}}"#),
            of: later)
        #expect(try await store.read(later).value?.thought?.counts?.commentCount == 2)
    }

    @Test func observersAreToldOfEveryRecordThatTheyRead() async throws {
        let store = try open()
        try await store.write(try response(Self.thought), of: query)
        let watcher = await Watcher(store.observe(query))
        #expect(try await watcher.next().value?.thought?.author.person.displayName == "Ana")
        try await store.write { transaction in
            transaction.changed = try RecordTable.merge(
                ["user_1": JSONObject([("displayName", .string("Ana B."))])], in: transaction.database)
        }
        #expect(try await watcher.next().value?.thought?.author.person.displayName == "Ana B.")
    }

    @Test func anotherAccountSeesNothing() async throws {
        try await open().write(try response(Self.thought), of: query)
        #expect(try await open(account: "viewer_2").read(query).value == nil)
    }

    /// The names of two accounts that differ in one character that no file name should have.
    @Test func accountsNeverShareAFile() async throws {
        try await open(account: "a/b").write(try response(Self.thought), of: query)
        for other in ["a-b", "a_b", "a_47_b", "ab"] { #expect(try await open(account: other).read(query).value == nil) }
    }

    @Test func anotherSchemaBeginsAnew() async throws {
        try await open().write(try response(Self.thought), of: query)
        #expect(try await open(version: "next").read(query).value == nil)
    }

    @Test func aDamagedFileIsSetAside() async throws {
        try await open().write(try response(Self.thought), of: query)
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).first { $0.hasSuffix(".sqlite") })
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: folder.url.path + "/" + file + suffix)
        }
        try Data(repeating: 7, count: 8192).write(to: folder.url.appendingPathComponent(file))
        let store = try open()
        #expect(FileManager.default.fileExists(atPath: try #require(store.setAside).path))
        #expect(try await store.read(query).value == nil)
        try await store.write(try response(Self.thought), of: query)
        #expect(try await open().read(query).value != nil)
    }

    // MARK: - Its bound

    private func thought(_ id: String) -> String { Self.thought.replacingOccurrences(of: "thought_1", with: id) }

    private func isStored(_ store: Store, _ id: String) async throws -> Bool {
        try await store.read(OneThoughtQuery(id: id)).value?.thought != nil
    }

    /// Each query has a thought of its own, and one author with all others.
    @Test func whatWasNotUsedForLongestGoesFirst() async throws {
        let store = try Store(folder: folder.url, server: server, account: "a", schema: .generated, maximumRecords: 10)
        try await store.setPinned(true, OneThoughtQuery(id: "thought_0"))
        for number in 0..<12 {
            let id = "thought_\(number)"
            try await store.write(try response(thought(id)), of: OneThoughtQuery(id: id))
        }
        try await store.write(try response(thought("thought_3")), of: OneThoughtQuery(id: "thought_3"))
        try await store.sweep()
        var stored: [Int] = []
        for number in 0..<12 where try await isStored(store, "thought_\(number)") { stored.append(number) }
        // 8 of 10 records: the root, the author, and six thoughts, of which one is pinned and one was used again.
        #expect(stored == [0, 3, 8, 9, 10, 11])
        #expect(try await store.read(OneThoughtQuery(id: "thought_0")).value?.thought?.author.person.username == "ana")
        try await store.setPinned(false, OneThoughtQuery(id: "thought_0"))
        for number in 12..<20 {
            let id = "thought_\(number)"
            try await store.write(try response(thought(id)), of: OneThoughtQuery(id: id))
        }
        try await store.sweep()
        #expect(try await !isStored(store, "thought_3"))
        #expect(try await isStored(store, "thought_19"))
    }

    @Test func whatIsShownStays() async throws {
        let store = try Store(folder: folder.url, server: server, account: "a", schema: .generated, maximumRecords: 5)
        try await store.write(try response(thought("thought_0")), of: OneThoughtQuery(id: "thought_0"))
        let watcher = await Watcher(store.observe(OneThoughtQuery(id: "thought_0")))
        #expect(try await watcher.next().value?.thought != nil)
        for number in 1..<9 {
            let id = "thought_\(number)"
            try await store.write(try response(thought(id)), of: OneThoughtQuery(id: id))
        }
        try await store.sweep()
        #expect(try await isStored(store, "thought_0"))
        #expect(try await !isStored(store, "thought_1"))
        #expect(try await isStored(store, "thought_8"))
        await watcher.stop()
    }

    @Test func deletedFilesLeaveNothing() async throws {
        let store = try open()
        try await store.write(try response(Self.thought), of: query)
        try store.delete()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }
}
