import ClientOperations
import Foundation
import Testing

@testable import TertuliaClient

@Suite struct LiveListViewTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let writer: LiveListWriter<FeedQuery>

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(
            folder: folder.url, server: folder.url, account: "viewer_1", schema: .generated)
        writer = LiveListWriter(FeedQuery(), store: store)
    }

    private func object(_ text: String) throws -> JSONObject { try #require(try JSONValue(json: text.utf8).object) }

    private func row(_ id: String, _ text: String) -> String {
        """
        {"__typename":"Thought","id":"\(id)","createdAt":"2026-11-20T21:15:00.000Z","text":"\(text)","category":"FUNNY",\
        "likeCount":0,"viewerHasLiked":false,\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}
        """
    }

    private func writePage() async throws {
        let page = """
            {"changeCursor":"10","feed":{"edges":[{"cursor":"1","position":"b","node":\(row("t1", "One"))},\
            {"cursor":"2","position":"d","node":\(row("t2", "Two"))}],"pageInfo":{"hasNextPage":false,"endCursor":"2"}}}
            """
        let response = Response(data: try object(page))
        try await writer.write(
            pages: [try LiveListPage(response, connection: FeedQuery.connection)], isFirst: true)
    }

    private func change(_ id: String, _ text: String, position: String) async throws {
        let change = """
            {"kind":"CHANGED","nodeId":"\(id)","cursor":"11","position":"\(position)","node":\(row(id, text))}
            """
        try await writer.write(change: try object(change))
    }

    private func read(_ view: inout LiveListView<FeedQuery.Row>) async throws -> [String?] {
        let changes = store.changedKeys
        let answer = try await store.database.read { [view] in try view.read(changes, in: $0) }
        view.take(answer)
        return view.snapshot(.live).rows.map { $0.asThought?.text }
    }

    private func view() -> LiveListView<FeedQuery.Row> {
        LiveListView(name: writer.name, listKey: writer.listKey, variables: FeedQuery().variables.values)
    }

    /// Two transactions between two reads, of which the observer need not have been told.
    @Test func aReadShowsOneMoment() async throws {
        try await writePage()
        var view = view()
        #expect(try await read(&view) == ["One", "Two"])
        try await change("t1", "Uno", position: "e")
        try await change("t2", "Due", position: "f")
        #expect(try await read(&view) == ["Uno", "Due"])
        try await change("t2", "Last", position: "a")
        #expect(try await read(&view) == ["Last", "Uno"])
    }

    /// More transactions than are remembered.
    @Test func aReadThatComesLateReadsAll() async throws {
        try await writePage()
        var view = view()
        #expect(try await read(&view) == ["One", "Two"])
        try await change("t1", "Uno", position: "b")
        for number in 0..<1100 {
            try await store.write { $0.changed.insert("other\(number)") }
        }
        #expect(try await read(&view) == ["Uno", "Two"])
    }

    /// What a transaction changed that was rolled back is not read again, and what came after it is.
    @Test func aRolledBackTransactionLeavesNothing() async throws {
        try await writePage()
        var view = view()
        _ = try await read(&view)
        let writes = store
        await #expect(throws: CancellationError.self) {
            try await writes.write { transaction in
                transaction.changed.insert("t1")
                try writes.changedKeys.record(["t1"], in: transaction.database)
                throw CancellationError()
            }
        }
        try await change("t2", "Due", position: "d")
        #expect(try await read(&view) == ["One", "Due"])
    }
}
