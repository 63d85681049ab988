import ClientOperations
import Foundation
import Testing

@testable import TertuliaClient

/// Lists with the rows of writes that wait. Every step is a transaction, so that a row which comes or goes between two
/// steps is seen.
@Suite(.timeLimit(.minutes(20))) struct ListPatchTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let writer: LiveListWriter<FeedQuery>
    private let shown: ShownList
    private let gate = Gate()
    private let outbox: Outbox

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.url, server: folder.url, account: "viewer_1", schema: .generated)
        writer = LiveListWriter(FeedQuery(), store: store)
        shown = ShownList(writer)
        let operations: [any GraphQLOperation.Type] = [CreateThoughtMutation.self, DeleteThoughtMutation.self]
        outbox = Outbox(store: store, operations: operations) { [gate] request in
            await gate.wait()
            return try Response(try JSONValue(json: Self.answer(request).utf8))
        }
    }

    static func row(_ id: String, _ text: String = "Text") -> String {
        """
        {"__typename":"Thought","id":"\(id)","createdAt":"2026-11-20T21:15:00.000Z","text":"\(text)","category":"FUNNY",\
        "likeCount":0,"viewerHasLiked":false,\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}
        """
    }

    private static func answer(_ request: OutboxRequest) -> String {
        let id = request.variables["input"]?.object?["id"]?.text ?? ""
        switch request.name {
        case "DeleteThought": return #"{"data":{"deleteThought":{"deletedId":"\#(id)","userErrors":[]}}}"#
        case "CreateThought" where id == "refused":
            return #"{"data":{"createThought":{"thought":null,"userErrors":[{"code":"TOO_LONG","message":"Long."}]}}}"#
        // An answer that has less than a row has.
        case "CreateThought" where id == "brief":
            return #"{"data":{"createThought":{"thought":{"__typename":"Thought","id":"brief"},"userErrors":[]}}}"#
        case "CreateThought":
            return #"{"data":{"createThought":{"thought":\#(row(id, "Answered")),"userErrors":[]}}}"#
        default: return #"{"data":{"likeThought":{"thought":null,"userErrors":[]}}}"#
        }
    }

    private func page(_ positions: [String: String] = ["t1": "b", "t2": "d"], hasNext: Bool = false) throws
        -> LiveListPage
    {
        let edges = positions.sorted { $0.value < $1.value }.map { id, position in
            #"{"cursor":"\#(id)","position":"\#(position)","node":\#(Self.row(id))}"#
        }
        let page = """
            {"changeCursor":"10","feed":{"edges":[\(edges.joined(separator: ","))],\
            "pageInfo":{"hasNextPage":\(hasNext),"endCursor":"2"}}}
            """
        return try LiveListPage(
            Response(data: try JSONValue(json: page.utf8).object), connection: FeedQuery.connection)
    }

    private func hear(_ kind: String, _ id: String, position: String? = nil) async throws {
        let change = """
            {"kind":"\(kind)","nodeId":"\(id)","cursor":"11","position":\(position.map { "\"\($0)\"" } ?? "null"),\
            "node":\(kind == "REMOVED" ? "null" : Self.row(id, "Server's"))}
            """
        try await writer.write(change: try #require(try JSONValue(json: change.utf8).object))
    }

    private func end() async {
        await outbox.close()
        await gate.open()
    }

    /// A whole thought, as an app makes it.
    static func object(_ id: String) -> RecordPatch {
        .object(
            id, ofType: "Thought",
            [
                ("createdAt", .set(to: Date.now)), ("text", .set(to: "New")),
                ("category", .set(to: ThoughtCategory.funny)),
                ("likeCount", .set(to: 0)), ("viewerHasLiked", .set(to: false)), ("author", .refer(to: "user_1")),
            ])
    }

    private func create(_ id: String, at place: ListPatch.Place = .start) async throws -> String {
        try await outbox.perform(
            CreateThoughtMutation(input: CreateThoughtInput(id: .value(id), category: .funny, text: "New")),
            objects: [id], patches: [Self.object(id)], lists: [.add(id, to: FeedQuery(), at: place)])
    }

    private func delete(_ id: String) async throws -> String {
        try await outbox.perform(
            DeleteThoughtMutation(input: DeleteThoughtInput(id: id)), objects: [id],
            lists: [.remove(id, from: FeedQuery(first: 5))])
    }

    // MARK: - Rows that are added

    @Test func aNewObjectIsShownAtOnceAndAfterARestart() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        #expect(try await shown.ids == ["t1", "t2"])
        _ = try await create("n1")
        _ = try await create("n2")
        #expect(try await shown.ids == ["n2", "n1", "t1", "t2"])
        #expect(try await shown.rows.first?.asThought?.text == "New")
        let again = try Store(folder: folder.url, server: folder.url, account: "viewer_1", schema: .generated)
        #expect(try await ShownList(LiveListWriter(FeedQuery(), store: again)).ids == ["n2", "n1", "t1", "t2"])
        // Server changes leave them where they are.
        try await hear("ADDED", "t3", position: "a")
        try await hear("REMOVED", "t1")
        #expect(try await shown.ids == ["n2", "n1", "t3", "t2"])
        await end()
    }

    /// The author is known, and the list never was read.
    @Test func aListThatWasNeverReadShowsIt() async throws {
        try await store.write { transaction in
            let author = JSONObject([
                ("__typename", .string("User")), ("id", .string("user_1")), ("username", .string("ana")),
                ("displayName", .string("Ana")),
            ])
            try transaction.merge(["user_1": author], addresses: [])
        }
        _ = try await create("n1", at: .end)
        #expect(try await shown.ids == ["n1"])
        await end()
    }

    /// Nothing is known of the author.
    @Test func anIncompleteRowIsLeftOut() async throws {
        _ = try await create("n1")
        #expect(try await shown.ids == [])
        try await writer.write(pages: [try page()], isFirst: true)
        #expect(try await shown.ids == ["n1", "t1", "t2"])
        _ = try await outbox.perform(
            CreateThoughtMutation(input: CreateThoughtInput(id: .value("n2"), category: .funny, text: "New")),
            objects: ["n2"], patches: [.object("n2", ofType: "Thought", [("text", .set(to: "New"))])],
            lists: [.add("n2", to: FeedQuery())])
        #expect(try await shown.ids == ["n1", "t1", "t2"])
        await end()
    }

    /// An event whose location is optional for Swift, and was never read.
    @Test func aRowThatLacksAnOptionalFieldIsLeftOut() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let fields: [(name: String, change: RecordPatch.Change)] = [
            ("createdAt", .set(to: Date.now)), ("author", .refer(to: "user_1")), ("name", .set(to: "Picnic")),
        ]
        for (id, more) in [("e1", []), ("e2", [("location", RecordPatch.Change.set(.null))])] {
            _ = try await outbox.perform(
                CreateThoughtMutation(input: CreateThoughtInput(category: .funny, text: "New")), objects: [],
                patches: [.object(id, ofType: "Event", fields + more)], lists: [.add(id, to: FeedQuery())])
        }
        #expect(try await shown.ids == ["e2", "t1", "t2"])
        await end()
    }

    @Test(arguments: ["n1", "brief"]) func anAnswerBeforeItsChangeKeepsTheRow(_ id: String) async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let entry = try await create(id)
        #expect(try await shown.ids == [id, "t1", "t2"])
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        #expect(try await shown.ids == [id, "t1", "t2"])
        #expect(try await shown.rows.first?.asThought?.text == (id == "n1" ? "Answered" : "New"))
        try await hear("ADDED", id, position: "c")
        #expect(try await shown.ids == ["t1", id, "t2"])
        #expect(try await shown.rows[1].asThought?.text == "Server's")
        try await hear("REMOVED", id)
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    @Test(arguments: [false, true]) func aChangeBeforeItsAnswerTakesTheRowsPlace(isRemovedBetween: Bool) async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let entry = try await create("n1")
        #expect(try await shown.ids == ["n1", "t1", "t2"])
        try await hear("ADDED", "n1", position: "c")
        #expect(try await shown.ids == ["t1", "n1", "t2"])
        if isRemovedBetween { try await hear("REMOVED", "n1") }
        let rows = isRemovedBetween ? ["t1", "t2"] : ["t1", "n1", "t2"]
        #expect(try await shown.ids == rows)
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        #expect(try await shown.ids == rows)
        try await hear("REMOVED", "n1")
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    /// The answer was lost: the page has the row, and the write still waits.
    @Test func aPageThatHasTheRowShowsItOnce() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        _ = try await create("n1")
        _ = try await create("n2", at: .end)
        try await writer.write(
            pages: [try page(["t1": "b", "n1": "c", "t2": "d"], hasNext: true)], isFirst: true)
        #expect(try await shown.ids == ["t1", "n1", "t2"])
        try await hear("CHANGED", "n1", position: "x")
        #expect(try await shown.ids == ["t1", "t2"])
        #expect(try await shown.list.beyondEnd == 2)
        await end()
    }

    /// A page that was read before the write cannot have its row.
    @Test func aPageThatWasAskedForBeforeTheAnswerKeepsTheRow() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let before = try await writer.lastTransaction()
        let entry = try await create("n1")
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        try await writer.write(pages: [try page()], isFirst: true, askedAfter: before)
        #expect(try await shown.ids == ["n1", "t1", "t2"])
        let after = try await writer.lastTransaction()
        try await writer.write(
            pages: [try page(["n1": "a", "t1": "b", "t2": "d"])], isFirst: true, askedAfter: after)
        #expect(try await shown.ids == ["n1", "t1", "t2"])
        // A list that does not have it after all.
        try await writer.write(pages: [try page()], isFirst: true, askedAfter: after)
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    @Test func aRefusedWriteAndADiscardedOneLeaveNoRow() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let discarded = try await create("n1")
        #expect(try await shown.ids == ["n1", "t1", "t2"])
        try await outbox.discard(discarded)
        #expect(try await shown.ids == ["t1", "t2"])
        await gate.open()
        let refused = try await create("refused")
        guard case .refused = try await outbox.result(of: refused) else {
            Issue.record("It was not refused.")
            return
        }
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    /// The end of the list is not loaded: the row belongs there.
    @Test func aRowAtTheEndIsCountedWhileThereAreMorePages() async throws {
        try await writer.write(pages: [try page(hasNext: true)], isFirst: true)
        let entry = try await create("n1", at: .end)
        #expect(try await shown.ids == ["t1", "t2"])
        #expect(try await shown.list.beyondEnd == 1)
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        try await hear("ADDED", "n1", position: "x")
        #expect(try await shown.list.beyondEnd == 1)
        try await writer.write(pages: [try page(["n1": "x"])], isFirst: false)
        #expect(try await shown.ids == ["t1", "t2", "n1"])
        #expect(try await shown.list.beyondEnd == 0)
        await end()
    }

    @Test func rowsAtTheEndStandInTheirOrder() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        _ = try await create("n1", at: .end)
        _ = try await create("n2", at: .end)
        #expect(try await shown.ids == ["t1", "t2", "n1", "n2"])
        await end()
    }

    /// The server's place is not known: the row stays where it is until the list is read anew.
    @Test func withoutPositionsTheRowKeepsItsPlace() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let entry = try await create("n1")
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        try await hear("ADDED", "n1")
        #expect(try await shown.ids == ["n1", "t1", "t2"])
        #expect(try await shown.list.isStale)
        try await hear("REMOVED", "n1")
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    // MARK: - Rows that leave

    @Test func aDeletedObjectLeavesAtOnce() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        #expect(try await shown.ids == ["t1", "t2"])
        let entry = try await delete("t1")
        #expect(try await shown.ids == ["t2"])
        try await hear("CHANGED", "t1", position: "b")
        #expect(try await shown.ids == ["t2"])
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        #expect(try await shown.ids == ["t2"])
        // A change that was made before the write.
        try await hear("CHANGED", "t1", position: "e")
        #expect(try await shown.ids == ["t2"])
        try await hear("REMOVED", "t1")
        #expect(try await shown.ids == ["t2"])
        // It comes back, as one that was unblocked does.
        try await hear("ADDED", "t1", position: "b")
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    @Test func aRemovalBeforeItsAnswerLeavesNothing() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let entry = try await delete("t1")
        try await hear("REMOVED", "t1")
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        #expect(try await shown.ids == ["t2"])
        try await hear("ADDED", "t1", position: "b")
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    /// The list did not have it, so that no REMOVED comes.
    @Test func whatComesAfterAnAnsweredRemovalIsShown() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let entry = try await delete("t9")
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        try await hear("ADDED", "t9", position: "a")
        #expect(try await shown.ids == ["t9", "t1", "t2"])
        await end()
    }

    /// Both were answered before the list has changed.
    @Test func whatIsCreatedAndDeletedNeverComesBack() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let created = try await create("n1")
        let deleted = try await delete("n1")
        #expect(try await shown.ids == ["t1", "t2"])
        await gate.open()
        #expect(try await outbox.result(of: created) == .done)
        #expect(try await outbox.result(of: deleted) == .done)
        #expect(try await shown.ids == ["t1", "t2"])
        for (kind, position) in [("ADDED", "a"), ("CHANGED", "a"), ("REMOVED", nil)] {
            try await hear(kind, "n1", position: position)
            #expect(try await shown.ids == ["t1", "t2"])
        }
        await end()
    }

    /// A page that is stored meanwhile applies the changes once more that came while it was on its way.
    @Test func aRepeatedChangeEndsNoLaterPatch() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let created = try await create("n1")
        await gate.open()
        #expect(try await outbox.result(of: created) == .done)
        let mark = writer.loads.begin()
        try await hear("ADDED", "n1", position: "a")
        let deleted = try await delete("n1")
        #expect(try await outbox.result(of: deleted) == .done)
        #expect(try await shown.ids == ["t1", "t2"])
        try await hear("ADDED", "n1", position: "a")
        #expect(try await shown.ids == ["t1", "t2"])
        try await writer.write(pages: [try page()], isFirst: true)
        #expect(try await shown.ids == ["t1", "t2"])
        writer.loads.end(mark)
        try await hear("REMOVED", "n1")
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    /// What is hidden beyond the loaded rows is not counted.
    @Test func aDeletedObjectBeyondTheEndIsNotCounted() async throws {
        try await writer.write(pages: [try page(hasNext: true)], isFirst: true)
        try await hear("ADDED", "t9", position: "x")
        #expect(try await shown.list.beyondEnd == 1)
        _ = try await delete("t9")
        #expect(try await shown.list.beyondEnd == 0)
        await end()
    }

    // MARK: - Changes that contradict

    private func like(_ objects: [String], lists: [ListPatch] = []) async throws -> String {
        try await outbox.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t1")), objects: objects, lists: lists)
    }

    private func waitUntilSent(_ id: String) async throws {
        let store = store
        while try await store.database.read({ try OutboxTable.entry(id, in: $0)?.sentAt }) == nil {
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// An object that was removed by somebody else, and that this write puts back.
    @Test func aRemovalThatIsOlderThanTheWriteKeepsTheRow() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let first = try await like(["t1"])
        try await waitUntilSent(first)
        // It waits for the first one.
        _ = try await like(["t1"], lists: [.add("t1", to: FeedQuery())])
        try await hear("REMOVED", "t1")
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    /// The object was created, and removed by somebody else, before the answer was there.
    @Test func aRemovalThatMayBeNewerThanTheWriteEndsTheRow() async throws {
        try await writer.write(pages: [try page()], isFirst: true)
        let entry = try await create("n1")
        try await waitUntilSent(entry)
        try await hear("REMOVED", "n1")
        #expect(try await shown.ids == ["t1", "t2"])
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        #expect(try await shown.ids == ["t1", "t2"])
        await end()
    }

    /// A removal tells the id, and not the type.
    @Test func aRemovalFindsARowOfASchemaWhoseIdsBelongToTypes() async throws {
        let schema = SchemaDescription(version: "per type", identity: .perType)
        let store = try Store(folder: folder.url, server: folder.url, account: "other", schema: schema)
        let writer = LiveListWriter(FeedQuery(), store: store)
        let change = { (kind: String, node: String) in
            try await writer.write(
                change: try #require(
                    try JSONValue(
                        json: #"{"kind":"\#(kind)","nodeId":"n1","cursor":"1","position":"a","node":\#(node)}"#.utf8
                    ).object))
        }
        // The author becomes known.
        try await change("ADDED", Self.row("n1"))
        try await change("REMOVED", "null")
        let outbox = Outbox(store: store, operations: []) { [gate] _ in
            await gate.wait()
            return Response(data: JSONObject([("createThought", .object(JSONObject()))]))
        }
        var fields = Self.object("n1").changes.fields
        fields[fields.count - 1].change = .refer(to: "User:user_1")
        let entry = try await outbox.perform(
            CreateThoughtMutation(input: CreateThoughtInput(category: .funny, text: "New")), objects: [],
            patches: [.object("Thought:n1", ofType: "Thought", id: "n1", fields)],
            lists: [.add("Thought:n1", to: FeedQuery())])
        let shown = ShownList(writer)
        #expect(try await shown.ids == ["Thought:n1"])
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        try await change("REMOVED", "null")
        #expect(try await shown.ids == [])
        await outbox.close()
    }

    // MARK: - What is left

    /// The rows of writes that wait outlive another schema, as the writes do.
    @Test func anotherSchemaKeepsWaitingRowsAlone() async throws {
        try await writer.touch()
        let waiting = try await create("n1")
        await gate.open()
        #expect(try await outbox.result(of: waiting) == .done)
        await outbox.close()
        let down = Outbox(store: store, operations: []) { _ in throw TransportError("The network is down.") }
        _ = try await down.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "n2")), objects: [],
            lists: [.add("n2", to: FeedQuery())])
        await down.close()
        let schema = SchemaDescription(version: "next", identity: .global)
        let next = try Store(folder: folder.url, server: folder.url, account: "viewer_1", schema: schema)
        #expect(try await keys(next) == ["n2"])
    }

    /// Opening the list will read it from the server, with the row.
    @Test func aListThatWasNeverOpenedKeepsNoAnsweredRow() async throws {
        let entry = try await create("n1")
        #expect(try await keys(store) == ["n1"])
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        #expect(try await keys(store) == [])
        await end()
    }

    /// The list was opened, and is not shown any more: no change will end the row.
    @Test func aSweepForgetsAnsweredRowsWithTheirList() async throws {
        try await writer.touch()
        let entry = try await create("n1")
        await gate.open()
        #expect(try await outbox.result(of: entry) == .done)
        #expect(try await keys(store) == ["n1"])
        let sweep = StoreSweep(limit: 0, shown: [], watched: [])
        try await store.database.write { try sweep.run(in: $0) }
        #expect(try await keys(store) == [])
        await end()
    }

    private func keys(_ store: Store) async throws -> [String] {
        let name = writer.name
        return try await store.database.read { try ListPatchTable.keys(of: name, in: $0) }
    }
}
