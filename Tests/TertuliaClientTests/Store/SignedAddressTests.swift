import ClientOperations
import Foundation
import GRDB
import Testing

@testable import TertuliaClient

@Suite(.timeLimit(.minutes(20))) struct SignedAddressTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Store {
        try Store(folder: folder.url, server: folder.url, account: "viewer_1", schema: .generated)
    }

    private static let bare = "https://example.org/images/image_1"
    private static let first = bare + "?expires=7200&signature=first"
    private static let second = bare + "?expires=10800&signature=second"
    private let query = PicturesQuery(id: "t1")

    private func write(_ address: String, to store: Store) async throws {
        let data = """
            {"thought":{"__typename":"Thought","id":"t1","coverUrl":"\(address)",\
            "image":{"__typename":"Image","id":"image_1","url":"\(address)"}}}
            """
        try await store.write(Response(data: try JSONValue(json: data.utf8).object), of: query)
    }

    private func addresses(_ store: Store) async throws -> [String?] {
        let thought = try await store.read(query).value?.thought
        return [thought?.coverUrl, thought?.image?.url]
    }

    /// The bytes of the store's file and of its journal.
    private func bytesOnDisk() throws -> Data {
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        return try files.reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
    }

    @Test func aRunningAppHasTheWholeAddress() async throws {
        let store = try open()
        try await write(Self.first, to: store)
        #expect(try await addresses(store) == [Self.first, Self.first])
    }

    @Test func anotherRunHasTheAddressWithoutItsSignature() async throws {
        try await write(Self.first, to: try open())
        #expect(try await addresses(try open()) == [Self.bare, Self.bare])
    }

    @Test func nothingSignedIsOnDisk() async throws {
        let store = try open()
        try await write(Self.first, to: store)
        for _ in 0..<2 {
            let bytes = try bytesOnDisk()
            #expect(bytes.range(of: Data(Self.bare.utf8)) != nil)
            #expect(bytes.range(of: Data("signature".utf8)) == nil)
            try await store.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        }
    }

    /// What was written for a schema without the directive.
    @Test func aFileThatHadSignedAddressesLosesThem() async throws {
        try await writeUnmarked()
        let next = try open()
        #expect(try await addresses(next) == [nil, nil])
        #expect(try bytesOnDisk().range(of: Data("signature".utf8)) == nil)
    }

    /// The disk is full: the file opens nevertheless, and is cleared by a later run.
    @Test func aFileThatCouldNotBeClearedIsClearedLater() async throws {
        try await writeUnmarked()
        let file = try #require(
            try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil).first {
                $0.pathExtension == "sqlite"
            })
        let full = try Store(file: file, schema: .generated) { _ in throw DatabaseError(resultCode: .SQLITE_FULL) }
        #expect(try await addresses(full) == [nil, nil])
        #expect(try bytesOnDisk().range(of: Data("signature".utf8)) != nil)
        try full.database.close()
        let next = try open()
        #expect(try bytesOnDisk().range(of: Data("signature".utf8)) == nil)
        try next.database.close()
        // Once is enough.
        _ = try Store(file: file, schema: .generated) { _ in Issue.record("The file was cleared again.") }
    }

    private func writeUnmarked() async throws {
        let old = SchemaDescription(version: "unmarked", identity: .global)
        let store = try Store(folder: folder.url, server: folder.url, account: "viewer_1", schema: old)
        try await store.write { transaction in
            for number in 0..<100 {
                let image = JSONObject([("url", .string(Self.first + "\(number)"))])
                try transaction.merge(["image_\(number)": image], addresses: [])
            }
        }
        // Some builds of SQLite overwrite what they delete, and others leave it in free pages.
        try await store.write { transaction in
            try transaction.database.execute(sql: "pragma secure_delete = off")
            try transaction.database.execute(sql: "delete from records")
        }
        try await store.database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        #expect(try bytesOnDisk().range(of: Data("signature".utf8)) != nil)
        try store.database.close()
    }

    /// The file stays as it is, and those who show the picture still hear of it.
    @Test func anotherSignatureIsAChange() async throws {
        let store = try open()
        try await write(Self.first, to: store)
        var values = store.observe(query).makeAsyncIterator()
        #expect(try await values.next()?.value?.thought?.image?.url == Self.first)
        try await write(Self.second, to: store)
        #expect(try await values.next()?.value?.thought?.image?.url == Self.second)
    }

    /// A draft that is published: the permanent address takes the place of the signed one.
    @Test func anAddressWithoutASignatureIsTheWholeOne() async throws {
        let store = try open()
        try await write(Self.first, to: store)
        try await write(Self.bare, to: store)
        #expect(try await addresses(store) == [Self.bare, Self.bare])
    }

    /// The answer of a mutation is stored in another way than that of a query.
    @Test func anAnswerIsStoredWithoutItsSignature() async throws {
        let store = try open()
        try await write(Self.bare, to: store)
        let answer = """
            {"data":{"createThought":{"thought":{"__typename":"Thought","id":"t1","coverUrl":"\(Self.first)"},\
            "userErrors":[]}}}
            """
        let outbox = Outbox(store: store, operations: []) { _ in try Response(try JSONValue(json: answer.utf8)) }
        let mutation = CreateThoughtMutation(input: CreateThoughtInput(category: .funny, text: "New"))
        #expect(try await outbox.result(of: outbox.perform(mutation, objects: [])) == .done)
        #expect(try await addresses(store).first == Self.first)
        #expect(try bytesOnDisk().range(of: Data("signature".utf8)) == nil)
        await outbox.close()
    }

    @Test func theOldestAddressesAreForgottenFirst() {
        let addresses = SignedAddresses(limit: 4)
        for number in 0..<20 { #expect(addresses.keep("a\(number)?b=1")) }
        #expect(addresses.whole("a0") == "a0")
        #expect((16..<20).map { addresses.whole("a\($0)") } == (16..<20).map { "a\($0)?b=1" })
        #expect(!addresses.keep("a19?b=1"))
        #expect(addresses.keep("a19"))
        #expect(!addresses.keep("a19"))
    }
}
