import ClientOperations
import Foundation
import Testing

@testable import TertuliaClient

/// The outbox as its observers see it, and the rows of lists that wait.
@Suite(.timeLimit(.minutes(20))) struct OutboxValuesTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(folder: folder.url, server: folder.url, account: "viewer_1", schema: .generated)
    }

    /// An outbox whose server answers nothing before the gate is open, and refuses t2.
    private func outbox(_ gate: Gate) -> Outbox {
        Outbox(store: store, operations: []) { request in
            await gate.wait()
            let faults =
                request.variables["input"]?.object?["thoughtId"] == .string("t2")
                ? #"{"code":"NOT_ALLOWED","message":"No.","field":["input"]}"# : ""
            return try Response(
                try JSONValue(json: #"{"data":{"likeThought":{"thought":null,"userErrors":[\#(faults)]}}}"#.utf8))
        }
    }

    private func like(_ id: String, _ outbox: Outbox, lists: [ListPatch] = []) async throws -> String {
        try await outbox.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: id)), objects: [id],
            patches: lists.isEmpty ? [RecordPatch(id, [("likeCount", .add(1))])] : [], lists: lists)
    }

    // MARK: - Entries

    @Test func observersAreToldOfEveryEntry() async throws {
        let gate = Gate()
        let outbox = outbox(gate)
        let watcher = await Watcher(outbox.values)
        try await watcher.value { $0.isEmpty }
        let first = try await like("t1", outbox)
        try await watcher.value { $0.map(\.id) == [first] && $0.first?.sentAt != nil }
        let second = try await like("t2", outbox)
        try await watcher.value { $0.map(\.id) == [first, second] }
        await gate.open()
        try await watcher.value {
            guard $0.map(\.id) == [second], case .refused(let errors)? = $0.first?.state else { return false }
            return errors.map(\.message) == ["No."]
        }
        try await outbox.discard(second)
        try await watcher.value { $0.isEmpty }
        await watcher.stop()
        await outbox.close()
    }

    @Test func aSlowObserverGetsTheNewestEntriesAlone() async throws {
        let gate = Gate()
        let outbox = outbox(gate)
        let watcher = await Watcher(outbox.values)
        var slow = outbox.values.makeAsyncIterator()
        #expect(try await slow.next() == [])
        for number in 1...20 {
            _ = try await like("t1", outbox)
            try await watcher.value { $0.count == number }
        }
        var count = 0
        while try await slow.next()?.count != 20 { count += 1 }
        #expect(count < 5)
        await watcher.stop()
        await outbox.close()
        await gate.open()
    }

    /// A change of the store that concerns no entry is no value.
    @Test func theSameEntriesComeOnce() async throws {
        let gate = Gate()
        let outbox = outbox(gate)
        var values = outbox.values.makeAsyncIterator()
        #expect(try await values.next() == [])
        for _ in 0..<3 {
            try await store.write { $0.changed.insert(Outbox.key) }
            try await Task.sleep(for: .milliseconds(5))
        }
        let id = try await like("t1", outbox)
        #expect(try await values.next()?.map(\.id) == [id])
        await outbox.close()
        await gate.open()
    }

    @Test func anotherAccountEndsTheObservation() async throws {
        let outbox = outbox(Gate())
        var values = outbox.values.makeAsyncIterator()
        #expect(try await values.next() == [])
        await store.observers.finish()
        #expect(try await values.next() == nil)
        await outbox.close()
    }

    @Test func closuresAreCalledWithTheEntries() async throws {
        let gate = Gate()
        let outbox = outbox(gate)
        let called = Called<[OutboxEntry]>()
        let observation = outbox.onChange { called.add($0) }
        try await called.value { $0.isEmpty }
        let id = try await like("t1", outbox)
        try await called.value { $0.map(\.id) == [id] }
        observation.cancel()
        await outbox.close()
        await gate.open()
    }

    // MARK: - Rows that wait

    private static func row(_ id: String) -> String {
        #"{"cursor":"\#(id)","position":"\#(id)","node":\#(ListPatchTests.row(id))}"#
    }

    private func shown() async throws -> ShownList {
        let writer = LiveListWriter(FeedQuery(), store: store)
        let page = """
            {"changeCursor":"10","feed":{"edges":[\(Self.row("t1")),\(Self.row("t2")),\(Self.row("t3"))],\
            "pageInfo":{"hasNextPage":false,"endCursor":"t3"}}}
            """
        let response = Response(data: try JSONValue(json: page.utf8).object)
        try await writer.write(pages: [try LiveListPage(response, connection: FeedQuery.connection)], isFirst: true)
        return ShownList(writer)
    }

    @Test func rowsTellWhichWritesTheyWaitFor() async throws {
        let gate = Gate()
        let outbox = outbox(gate)
        let shown = try await shown()
        #expect(try await shown.list.waiting.isEmpty)
        let first = try await like("t1", outbox)
        let second = try await like("t1", outbox)
        let refused = try await like("t2", outbox)
        let made = try await outbox.perform(
            CreateThoughtMutation(input: CreateThoughtInput(id: .value("n1"), category: .funny, text: "New")),
            objects: ["n1"], patches: [ListPatchTests.object("n1")], lists: [.add("n1", to: FeedQuery())])
        let list = try await shown.list
        #expect(list.ids == ["n1", "t1", "t2", "t3"])
        #expect(list.waiting == ["n1": [made], "t1": [first, second], "t2": [refused]])
        #expect(list.ids.map(list.isWaiting) == [true, true, true, false])
        let again = ShownList(LiveListWriter(FeedQuery(), store: store))
        #expect(try await again.list.waiting == list.waiting)
        await gate.open()
        for id in [first, second, refused, made] { _ = try await outbox.result(of: id) }
        // The new row is still the app's, but nothing of it waits. The refused write no longer shows.
        #expect(try await shown.list.ids == ["n1", "t1", "t2", "t3"])
        #expect(try await shown.list.waiting.isEmpty)
        await outbox.close()
    }

    /// A write without patches of its own object that puts an object of the store into a list.
    @Test func aRowThatOnlyCameIntoTheListWaits() async throws {
        let gate = Gate()
        let outbox = outbox(gate)
        let shown = try await shown()
        let entry = try await like("t3", outbox, lists: [.remove("t3", from: FeedQuery())])
        #expect(try await shown.list.waiting.isEmpty)
        try await outbox.discard(entry)
        #expect(try await shown.list.ids == ["t1", "t2", "t3"])
        let added = try await like("t3", outbox, lists: [.add("t3", to: FeedQuery())])
        #expect(try await shown.list.waiting == ["t3": [added]])
        await gate.open()
        #expect(try await outbox.result(of: added) == .done)
        #expect(try await shown.list.waiting.isEmpty)
        await outbox.close()
    }

    /// The observer of a list is told, though nothing else of the row changes.
    @Test func aListIsShownAnewWhenItsRowWaitsNoLonger() async throws {
        let server = ScriptedServer { operation, _ in
            if operation == "LikeThought" { throw TransportError("The network is down.") }
            return """
                {"data":{"changeCursor":"10","feed":{"edges":[\(Self.row("t1"))],\
                "pageInfo":{"hasNextPage":false,"endCursor":"t1"}}}}
                """
        }
        let client = try await Client(
            url: URL(string: "http://127.0.0.1/graphql") ?? folder.url, transport: server,
            credentials: MemoryCredentials(.example()), folder: folder.url, schema: .generated)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        try await watcher.value { $0.ids == ["t1"] && !$0.isWaiting("t1") }
        let id = try await client.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t1")), objects: ["t1"],
            patches: [RecordPatch("t1", [("viewerHasLiked", .set(.boolean(false)))])])
        try await watcher.value { $0.waiting == ["t1": [id]] }
        try await client.outbox.discard(id)
        try await watcher.value { !$0.isWaiting("t1") }
        await watcher.stop()
        await client.close()
    }
}
