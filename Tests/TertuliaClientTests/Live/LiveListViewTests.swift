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

    private func apply(_ kind: String, _ id: String, _ text: String, position: String) async throws {
        let node = kind == "REMOVED" ? "null" : row(id, text)
        let change = """
            {"kind":"\(kind)","nodeId":"\(id)","cursor":"11","position":"\(position)","node":\(node)}
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
        LiveListView(name: writer.name, variables: FeedQuery().variables.values, addresses: store.addresses)
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

    /// Rows come, move, change and go, some of them several times between two reads.
    @Test func movesGiveWhatAWholeReadGives() async throws {
        try await writePage()
        var view = view()
        _ = try await read(&view)
        var generator = SplitMix(state: 7)
        for step in 0..<300 {
            for change in 0..<Int.random(in: 1...4, using: &generator) {
                let id = "t\(Int.random(in: 1...12, using: &generator))"
                let position = "p\(Int.random(in: 100...999, using: &generator))\(id)"
                let kind = ["ADDED", "CHANGED", "CHANGED", "REMOVED"].randomElement(using: &generator) ?? "ADDED"
                try await apply(kind, id, "\(step).\(change)", position: position)
            }
            let texts = try await read(&view)
            var whole = self.view()
            let expected = try await read(&whole)
            try #require(texts == expected)
            #expect(view.snapshot(.live).ids == whole.snapshot(.live).ids)
        }
    }

    /// Between two reads a row moves before one that moves, too.
    @Test func rowsThatMoveTogetherComeInOrder() async throws {
        try await writePage()
        for (id, position) in [("t3", "f"), ("t4", "h"), ("t5", "k")] {
            try await apply("ADDED", id, id, position: position)
        }
        var view = view()
        #expect(try await read(&view) == ["One", "Two", "t3", "t4", "t5"])
        try await apply("CHANGED", "t1", "One", position: "m")
        try await apply("CHANGED", "t3", "t3", position: "l")
        try await apply("REMOVED", "t4", "", position: "h")
        try await apply("ADDED", "t6", "t6", position: "a")
        #expect(try await read(&view) == ["t6", "Two", "t5", "t3", "One"])
    }
}
