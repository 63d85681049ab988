import GraphQL
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

@Suite struct ChangeOrderTests {
    /// Three subscriptions of one connection, of which one has much to catch up with.
    @Test func aConnectionGetsItsChangesInOrder() async throws {
        let live = try await LiveWorld.make()
        let start = try #require(live.world.environment.changes.cursor)
        let thought = worldID(.thought, 0x201)
        func edit(_ number: Int) async throws {
            let fields =
                number % 3 == 0
                ? "addComment(input: {subjectId: \"\(thought)\", text: \"\(number)\"}) { comment { id } }"
                : "updateThought(input: {id: \"\(thought)\", text: \"\(number)\"}) { thought { id } }"
            let answer = try await live.world.ask("mutation { \(fields) }", as: .ana)
            #expect(answer.isData, "\(answer.text)")
        }
        for number in 0..<30 { try await edit(number) }
        try await live.settle()
        var context = live.world.context(as: .ben)
        context.clientConnectionID = 7
        let arrived = Arrivals()
        let subscriptions = [
            ("commentChanges", "subjectId: \"\(thought)\", after: \"\(start.text)\""),
            ("feedChanges", "after: \"\(start.text)\""), ("nodeChanges", "ids: [\"\(thought)\"]"),
        ]
        var streams: [(field: String, stream: ResponseStream<RequestContext>)] = []
        for (field, arguments) in subscriptions {
            streams.append(
                (field, try await live.stream("\(field)(\(arguments)) { cursor node { id } }", context)))
        }
        var tasks: [Task<Void, any Error>] = []
        for (field, stream) in streams {
            let reading = Task {
                for try await response in stream {
                    let answer = try Answer(String(decoding: response.body, as: UTF8.self))
                    let cursor = try #require(answer.string(field, "cursor").flatMap { ChangeCursor($0) })
                    arrived.append(field, cursor.position)
                }
            }
            tasks.append(reading)
        }
        for number in 30..<60 { try await edit(number) }
        try await live.settle()
        // 60 edits: a comment is a change of the thought's counters, too.
        try await eventually("20 changes of comments and 40 of the feed") {
            arrived.count(of: "commentChanges") >= 20 && arrived.count(of: "feedChanges") >= 40
        }
        for task in tasks { task.cancel() }
        let order = arrived.positions
        #expect(order == order.sorted())
        await live.shutdown()
    }

    /// PostgreSQL numbers anew after a crash what left no trace on its disk: nobody may be told to go on after that.
    @Test func noPlaceIsBehindTheLastRow() async throws {
        let live = try await LiveWorld.make()
        let edit = "updateThought(input: {id: \"\(worldID(.thought, 0x202))\", text: \"x\"}) { thought { id } }"
        #expect(try await live.world.ask("mutation { \(edit) }", as: .ben).isData)
        try await live.settle()
        let before = live.world.environment.changes.cursor
        let last = try await live.world.number("select max(xid)::text::bigint from change_log")
        #expect(before?.position.transaction == Int64(last))
        for _ in 0..<5 { try await live.world.execute(script: "begin; select pg_current_xact_id(); rollback") }
        let replica = try await LiveWorld(live.world)
        #expect(replica.world.environment.changes.cursor == before)
        await replica.stop()
        // When the tail reads once more, its read before that has ended.
        _ = live.world.statements.take()
        var reads = 0
        try await eventually("the tail has read twice") {
            live.world.environment.changes.signal.signal()
            let statements = live.world.statements.take().flatMap(\.statements)
            reads += statements.count { $0.contains("from change_log_history() h cross join") }
            return reads >= 2
        }
        #expect(live.world.environment.changes.cursor == before)
        await live.shutdown()
    }

    @Test func aQuietSubscriptionMovesOn() async throws {
        let live = try await LiveWorld.make()
        let stream = try await live.stream(
            "nodeChanges(ids: [\"\(worldID(.thought, 0x201))\"]) { cursor }", live.world.context(as: .ben))
        let before = try #require(stream.position)
        #expect(!before.isCaughtUp)
        let reading = Task {
            for try await _ in stream {}
        }
        try await eventually("the subscription has caught up") { stream.position?.isCaughtUp == true }
        // Of no concern to it.
        let edit = "updateThought(input: {id: \"\(worldID(.thought, 0x202))\", text: \"x\"}) { thought { id } }"
        #expect(try await live.world.ask("mutation { \(edit) }", as: .ben).isData)
        try await live.settle()
        let now = try #require(stream.position.flatMap { ChangeCursor($0.text) })
        let then = try #require(ChangeCursor(before.text))
        #expect(now.position > then.position)
        #expect(now == live.world.environment.changes.cursor)
        reading.cancel()
        await live.shutdown()
    }
}

private final class Arrivals: Sendable {
    private let arrivals = Mutex<[(field: String, position: ChangePosition)]>([])

    func append(_ field: String, _ position: ChangePosition) { arrivals.withLock { $0.append((field, position)) } }
    func count(of field: String) -> Int { arrivals.withLock { $0.count { $0.field == field } } }
    var positions: [ChangePosition] { arrivals.withLock { $0.map(\.position) } }
}
