import Foundation
import GraphQL
import Postgres
import Synchronization
import TestPostgres
import Testing

@testable import App
@testable import ChangeFeed

/// Reads on a real standby, which the tests hold back or break.
@Suite struct StandbyReadTests {
    private static let thoughts = "thoughts(first: 50) { nodes { id text author { displayName } } }"

    private static func create(_ text: String) -> String {
        "createThought(input: {category: FUNNY, text: \"\(text)\"}) { thought { id text } userErrors { message } }"
    }

    @Test func ownWritesAreNeverMissed() async throws {
        try await StandbyWorld.with { servers in
            try await servers.pauseReplay()
            let (written, position) = try await servers.write(Self.create("Own words."), as: .ana)
            let id = try #require(written.string("createThought", "thought", "id"))
            let query = "{ thought(id: \"\(id)\") { text author { displayName } } }"
            // The standby has not replayed it, as a signed-out client sees.
            let stale = try await servers.read(query, as: .nobody)
            #expect(stale.answer.string("thought", "text") == nil && stale.onStandby == 1)
            // The session brings its position: the standby is tried, and the rest of the request stays on the primary.
            let own = try await servers.read(query, as: .ana, after: position)
            #expect(own.answer.string("thought", "text") == "Own words.")
            #expect(own.onStandby == 0 && own.fallbacks == 1)
            // Without a position, and with one that is no position, it reads on the primary.
            for position in [nil, "primary", "of another make"] {
                let read = try await servers.read(query, as: .ana, after: position)
                #expect(read.answer.string("thought", "text") == "Own words.")
                #expect(read.onStandby == 0 && read.fallbacks == 0)
            }
            try await servers.resumeReplay()
            let caughtUp = try await servers.read(query, as: .ana, after: position)
            #expect(caughtUp.answer.string("thought", "text") == "Own words.")
            #expect(caughtUp.onStandby > 0 && caughtUp.fallbacks == 0)
        }
    }

    /// The check of the standby, in the segment of each read, is none of the read's rows.
    @Test func aTraceHasTheRowsOfTheRead() async throws {
        try await StandbyWorld.with { servers in
            let rows = Mutex<[Int?]>([])
            let trace = StatementTrace { segment in rows.withLock { $0.append(segment.rows) } }
            let read = try await StatementTrace.$current.withValue(trace) {
                try await servers.read("{ thought(id: \"\(worldID(.thought, 0x201))\") { text } }", as: .nobody)
            }
            #expect(read.onStandby == 1 && rows.withLock { $0 } == [1])
        }
    }

    /// Every mutation that writes has a position that covers it: new, repeated, refused, of sessions.
    @Test func eachWriteHasItsPosition() async throws {
        try await StandbyWorld.with { servers in
            func written(_ text: String) async throws -> (TransactionPosition?, transaction: Int) {
                let (answer, position) = try await servers.write(text, as: .ana)
                let id = try #require(answer.string("a", "thought", "id").flatMap { TypeID($0) }).uuid
                let last: SQL = "select max(xid)::text::bigint from change_log where object_id = \(id)"
                let transaction = try await servers.writer.world.number(last)
                return (position.flatMap { TransactionPosition($0) }, transaction)
            }
            let create = "createThought(input: {category: FUNNY, text: \"Twice.\", clientMutationId: \"a\"})"
            let fields = "{ thought { id } userErrors { message } }"
            let first = try await written("a: \(create) \(fields)")
            #expect(try Int(#require(first.0).transaction) == first.transaction)
            let again = try await written("a: \(create) \(fields)")
            #expect(again.transaction == first.transaction)
            #expect(
                try #require(again.0).epoch == first.0?.epoch && Int(again.0?.transaction ?? 0) >= first.transaction)
            // Two root fields have the later position.
            let both = try await written("b: \(Self.create("B.")) a: \(Self.create("A."))")
            #expect(try Int(#require(both.0).transaction) == both.transaction)
            #expect(try await servers.write(Self.create(""), as: .ana).position == nil)
            let gone = "deleteThought(input: {id: \"\(worldID(.thought, 0xFFF))\"}) { userErrors { message } }"
            #expect(try await servers.write(gone, as: .ana).position == nil)
            let anonymous = "signInAnonymously { viewer { user { id } } }"
            let signedIn = try await servers.write(anonymous, as: .nobody)
            #expect(signedIn.position.flatMap { TransactionPosition($0) } != nil)
            // Only queries may read from standbys.
            #expect(servers.standbys.statistics(of: 0).reads == 0)
        }
    }

    /// No statement of a query writes or locks, which a standby refuses.
    @Test func eachQueryRunsOnAStandby() async throws {
        try await StandbyWorld.with { servers in
            let position = try #require(try await servers.write(Self.create("First."), as: .ana).position)
            try await servers.catchUp()
            var count = 0
            for path in OperationTests.documents {
                let document = try OperationDocument(OperationTests.folder.appendingPathComponent(path))
                for step in document.steps
                where step.bindings.isEmpty
                    && !step.text.contains(/^\s*(mutation|subscription)\b/.anchorsMatchLineEndings())
                {
                    for person in step.askers.compactMap(Person.init(rawValue:)) {
                        var normalizer = Normalizer()
                        let expected = normalizer.normalize(
                            try await servers.reader.world.run(step.text, step.variables, as: person))
                        var read = try await servers.read(step.text, step.variables, as: person, after: position)
                        // On a busy machine a read may be late, and runs on the primary. One that is refused is refused
                        // each time.
                        for _ in 0..<5 where read.fallbacks > 0 {
                            read = try await servers.read(step.text, step.variables, as: person, after: position)
                        }
                        normalizer = Normalizer()
                        #expect(normalizer.normalize(read.answer.text) == expected, "\(path)")
                        // The primary decides on a refusal that a statement raises.
                        let isRefused = read.answer.code == "FORBIDDEN"
                        #expect(read.fallbacks == 0 || isRefused, "\(path): \(step.text)")
                        count += read.onStandby
                    }
                }
            }
            #expect(count > 100)
        }
    }

    @Test func noChangeIsMissedBesideACursor() async throws {
        try await StandbyWorld.with { servers in
            try await servers.pauseReplay()
            let id = try #require(
                try await servers.write(Self.create("New."), as: .ana).answer.string("createThought", "thought", "id"))
            try await servers.reader.settle()
            let stale = try await servers.read("{ \(Self.thoughts) }", as: .nobody)
            #expect(!stale.answer.text.contains(id) && stale.onStandby > 0)
            // The cursor comes last in the document, and first in the execution.
            let fresh = try await servers.read("{ \(Self.thoughts) changeCursor }", as: .nobody)
            #expect(fresh.answer.text.contains(id) && fresh.onStandby == 0 && fresh.fallbacks == 1)
            let cursor = try #require(fresh.answer.string("changeCursor"))
            try await servers.resumeReplay()
            let later = try await servers.read("{ changeCursor \(Self.thoughts) }", as: .nobody)
            #expect(later.answer.text.contains(id) && later.onStandby > 0 && later.fallbacks == 0)
            // The rows of `changes` come from the primary, and their objects, too.
            try await servers.pauseReplay()
            let second = try #require(
                try await servers.write(Self.create("Newer."), as: .ana).answer.string("createThought", "thought", "id")
            )
            let node = "nodes { kind nodeId node { ... on Thought { text } } }"
            let changes = try await servers.read(
                "{ changes(after: \"\(cursor)\", scopes: [{feed: {}}]) { \(node) } }", as: .nobody)
            #expect(changes.answer.text.contains(second) && changes.answer.text.contains("Newer."))
            #expect(changes.onStandby == 0)
        }
    }

    /// A delivery reads on the standby where that has passed all published changes, else on the primary.
    @Test func liveDeliveriesShowTheirChange() async throws {
        try await StandbyWorld.with { servers in
            let fields = "feedChanges { kind node { ... on Thought { text author { displayName } } } }"
            let subscriber = try await servers.reader.subscribe(fields, as: .nobody)
            try await servers.pauseReplay()
            let before = servers.standbys.statistics(of: 0).reads
            _ = try await servers.write(Self.create("While it is held back."), as: .ana)
            let event = try await subscriber.take(1)[0]
            #expect(event.string("feedChanges", "node", "text") == "While it is held back.")
            #expect(event.string("feedChanges", "node", "author", "displayName") != nil)
            #expect(servers.standbys.statistics(of: 0).reads == before)
            try await servers.resumeReplay()
            subscriber.close()
        }
    }

    /// The changes of what was published are read on the standby, once for all who listen.
    @Test func deliveriesAreReadOnAStandbyThatHasPassedThem() async throws {
        try await StandbyWorld.with { servers in
            let id = try #require(
                try await servers.write(Self.create("Shared."), as: .ana).answer.string(
                    "createThought", "thought", "id"))
            try await servers.reader.settle()
            try await servers.catchUp()
            let environment = servers.reader.world.environment
            let cursor = try #require(environment.changes.cursor)
            let change = try #require(
                environment.changes.changes(after: ChangePosition(transaction: 0, row: 0)) { _ in true }?.changes.last
                    ?? environment.changes.changes(after: cursor.position.before) { _ in true }?.changes.last)
            let object = try #require(TypeID(id))
            let shared = SharedChange(change, cursor: cursor, isOffered: true)
            let reading = SharedReading.of(shared, object)
            let before = servers.standbys.statistics(of: 0)
            #expect(try await reading.node(of: shared, environment).value() != nil)
            #expect(servers.standbys.statistics(of: 0).reads > before.reads)
            #expect(servers.standbys.statistics(of: 0).fallbacks == before.fallbacks)
        }
    }

    @Test func aDeadStandbyIsNotNoticed() async throws {
        try await StandbyWorld.with { servers in
            let query = "{ \(Self.thoughts) }"
            let expected = try await servers.read(query, as: .nobody)
            #expect(expected.onStandby > 0)
            servers.standby.stop()
            let answers = try await concurrently(20) { _ in
                try await servers.read(query, as: .nobody).answer.text
            }
            #expect(answers.allSatisfy { $0 == expected.answer.text })
            #expect(try await !servers.takesReads())
            let again = try servers.standby.restart()
            while try await !servers.takesReads() { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await servers.read(query, as: .nobody).onStandby == expected.onStandby)
            again.stop()
        }
    }

    /// Two servers take writes, and each of them has transactions of the same numbers.
    @Test func aPromotedStandbyIsNotNoticed() async throws {
        try await StandbyWorld.with { servers in
            try servers.standby.promote()
            let promoted = try await DedicatedConnection.open(ConnectionConfiguration(servers.standby.connectionString))
            try await promoted.execute(script: "update thoughts set text = 'of another history'")
            let read = try await servers.read("{ \(Self.thoughts) }", as: .nobody)
            #expect(!read.answer.text.contains("of another history"))
            #expect(read.onStandby == 0 && read.fallbacks >= 1)
            #expect(try await !servers.takesReads())
            await promoted.close()
        }
    }

    @Test func anotherEpochGoesToThePrimary() async throws {
        try await StandbyWorld.with { servers in
            let position = try #require(try await servers.write(Self.create("Before."), as: .ana).position)
            try await servers.catchUp()
            let query = "{ viewer { user { displayName } } }"
            #expect(try await servers.read(query, as: .ana, after: position).onStandby > 0)
            // The primary begins an epoch, of which the standby does not know.
            try await servers.pauseReplay()
            let begin: SQL = """
                select begin_change_log_epoch(epoch)::text from change_log_history()
                """
            #expect(try await servers.writer.world.texts(begin) == ["true"])
            #expect(try await !servers.takesReads())
            let current = try #require(try await servers.write(Self.create("After."), as: .ana).position)
            for position in [position, current] {
                let read = try await servers.read(query, as: .ana, after: position)
                #expect(read.onStandby == 0 && read.fallbacks == 0 && read.answer.isData)
            }
            try await servers.resumeReplay()
            #expect(try await servers.takesReads())
            #expect(try await servers.read(query, as: .ana, after: position).onStandby == 0)
            #expect(try await servers.read(query, as: .ana, after: current).onStandby > 0)
        }
    }

    /// A position from a new primary whose log has no epoch of the new history yet is no position.
    @Test func aWriteOfAnUnnamedHistoryHasNoPosition() async throws {
        try await StandbyWorld.with { servers in
            // The tails would begin an epoch.
            await servers.writer.stop()
            await servers.reader.stop()
            try await servers.writer.world.execute(script: "update change_log_epoch set timeline = timeline + 1")
            let (written, position) = try await servers.write(Self.create("Unnamed."), as: .ana)
            #expect(written.isData && position == OwnWrites.unknown)
        }
    }

    @Test func withoutStandbysThereIsNoPosition() async throws {
        let world = try await World.make()
        let context = world.context(as: .ana)
        context.allowStandbys(after: nil)
        #expect(context.route == nil)
        #expect(try await world.ask("mutation { \(Self.create("Alone.")) }", context).isData)
        #expect(context.positionOfWrites == nil)
        await world.shutdown()
    }
}
