import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

@Suite struct ResumeTests {
    private static func touch(_ live: LiveWorld, _ text: String) async throws {
        let edit = "updateThought(input: {id: \"\(worldID(.thought, 0x201))\", text: \"\(text)\"}) { thought { id } }"
        #expect(try await live.world.ask("mutation { \(edit) }", as: .ana).isData)
    }

    private static func feed(after cursor: String) -> String {
        "feedChanges(after: \"\(cursor)\") { kind nodeId cursor }"
    }

    private static func cursors(_ answers: [Answer]) -> [String] {
        answers.compactMap { $0.string("feedChanges", "cursor") }
    }

    /// From memory, from the log, and on another replica: the same changes, each once.
    @Test func whatWasMissedComesOnce() async throws {
        let live = try await LiveWorld.make()
        let before = try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
        let witness = try await live.subscribe("feedChanges { kind nodeId cursor }", as: .nobody)
        for number in 0..<6 { try await Self.touch(live, "\(number)") }
        let seen = Self.cursors(try await witness.take(6))
        #expect(Set(seen).count == 6)

        let resumed = try await live.subscribe(Self.feed(after: before), as: .nobody)
        #expect(Self.cursors(try await resumed.take(6)) == seen)
        let later = try await live.subscribe(Self.feed(after: seen[3]), as: .nobody)
        #expect(Self.cursors(try await later.take(2)) == Array(seen[4...]))

        // It began now: what came before is in the log alone.
        let replica = try await LiveWorld(live.world)
        let elsewhere = try await replica.subscribe(Self.feed(after: seen[1]), as: .nobody)
        #expect(Self.cursors(try await elsewhere.take(4)) == Array(seen[2...]))
        try await Self.touch(live, "last")
        try await replica.settle()
        let last = Self.cursors(try await witness.take(7))
        #expect(Self.cursors(try await elsewhere.take(5)) == Array(last[2...]))
        #expect(Self.cursors(try await later.take(3)) == Array(last[4...]))
        await replica.stop()
        await live.shutdown()
    }

    /// A comment and the counter of what it is on are one row of the log.
    @Test func betweenTheChangesOfOneRow() async throws {
        let live = try await LiveWorld.make()
        for (kind, subject) in [(TypeID.Kind.thought, UInt64(0x201)), (.event, 0x301)] {
            let (subject, comment) = (worldID(kind, subject), worldID(.comment, subject + 0x1000))
            let ids = "[\"\(subject)\", \"\(comment)\"]"
            func changes(after cursor: String) -> String {
                "nodeChanges(ids: \(ids), after: \"\(cursor)\") { kind nodeId cursor }"
            }
            func told(_ answers: [Answer]) -> [String] {
                answers.map { "\($0.string("nodeChanges", "kind") ?? "") \($0.string("nodeChanges", "nodeId") ?? "")" }
            }
            let before = try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
            let witness = try await live.subscribe(changes(after: before), as: .nobody)
            let input = "id: \"\(comment)\", subjectId: \"\(subject)\", text: \"x\""
            let add = "mutation { addComment(input: {\(input)}) { userErrors { code } } }"
            #expect(try await live.world.ask(add, as: .ana).isData)
            let seen = try await witness.take(2)
            #expect(told(seen) == ["ADDED \(comment)", "CHANGED \(subject)"])
            let cursors = seen.compactMap { $0.string("nodeChanges", "cursor") }

            // It began now: what came before is in the log alone.
            let replica = try await LiveWorld(live.world)
            for place in [live, replica] {
                let all = try await place.subscribe(changes(after: before), as: .nobody)
                #expect(told(try await all.take(2)) == told(seen))
                let rest = try await place.subscribe(changes(after: cursors[0]), as: .nobody)
                #expect(told(try await rest.take(1)) == ["CHANGED \(subject)"])
                let none = try await place.subscribe(changes(after: cursors[1]), as: .nobody)
                let edit = "updateComment(input: {id: \"\(comment)\", text: \"y\"}) { userErrors { code } }"
                #expect(try await live.world.ask("mutation { \(edit) }", as: .ana).isData)
                try await place.settle()
                #expect(told(try await none.take(1)) == ["CHANGED \(comment)"])
                #expect(told(try await rest.take(2)) == ["CHANGED \(subject)", "CHANGED \(comment)"])
            }
            let list = "changes(after: \"\(cursors[0])\", scopes: [{nodeIds: [\"\(subject)\"]}]) { nodes { nodeId } }"
            for place in [live, replica] {
                let answer = try await place.world.ask("{ \(list) }", as: .nobody)
                #expect(answer.text == #"{"data":{"changes":{"nodes":[{"nodeId":"\#(subject)"}]}}}"#)
            }
            await replica.stop()
        }
        await live.shutdown()
    }

    @Test func aConnectionResumesItsSubscriptions() async throws {
        let live = try await LiveWorld.make()
        let before = try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
        try await Self.touch(live, "missed")
        try await live.settle()
        var context = live.world.context(as: .ben)
        context.resumeAfter = before
        let resumed = try await live.subscribe("feedChanges { kind }", context)
        #expect(try await resumed.take(1).count == 1)
        context.resumeAfter = "nonsense"
        #expect(try await live.subscribe("feedChanges { kind }", context).refusal?.code == "BAD_USER_INPUT")
        // Its own argument goes before.
        #expect(try await live.subscribe(Self.feed(after: before), context).take(1).count == 1)
        await live.shutdown()
    }

    /// The stream of an `EventSource` is asked for with the `after` that it began at, each time it breaks.
    @Test func aStreamGoesOnWhereItBroke() async throws {
        let live = try await LiveWorld.make()
        let before = try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
        try await Self.touch(live, "received")
        try await live.settle()
        var context = live.world.context(as: .ben)
        let received = try #require(
            try await live.subscribe("feedChanges(after: \"\(before)\") { cursor }", context).take(1).first?
                .string("feedChanges", "cursor"))
        try await Self.touch(live, "missed")
        try await live.settle()
        context.lastEventID = received
        let stream = try await live.subscribe(
            "feedChanges(after: \"\(before)\") { node { ... on Thought { text } } }", context)
        #expect(try await stream.take(1).first?.string("feedChanges", "node", "text") == "missed")
        context.lastEventID = "refused"
        #expect(try await live.subscribe(Self.feed(after: before), context).refusal?.code == "BAD_USER_INPUT")
        await live.shutdown()
    }

    @Test func cursorsThatTheLogDoesNotHave() async throws {
        let live = try await LiveWorld.make()
        func code(_ cursor: String) async throws -> String? {
            try await live.subscribe(Self.feed(after: cursor), as: .nobody).refusal?.code
        }
        let own = try #require(live.world.environment.changes.cursor)
        #expect(try await code("nonsense") == "BAD_USER_INPUT")
        let lowest = ChangePosition(transaction: 1, row: .min)
        for cursor in [
            ChangeCursor(epoch: own.epoch, position: lowest),
            ChangeCursor(epoch: own.epoch, position: own.position, held: lowest),
            ChangeCursor(epoch: own.epoch, position: ChangePosition(transaction: .min, row: 1)),
        ] {
            #expect(try await code(cursor.text) == "BAD_USER_INPUT")
            let list = "{ changes(after: \"\(cursor.text)\", scopes: []) { nodes { nodeId } } }"
            #expect(try await live.world.ask(list, as: .nobody).code == "BAD_USER_INPUT")
        }
        #expect(try await code(ChangeCursor(epoch: own.epoch + 1, position: own.position).text) == "CURSOR_EXPIRED")
        try await live.world.execute(
            script: "insert into change_log_floor values (\(own.position.transaction - 5)::text::xid8, 7)")
        func cursor(_ transaction: Int64, _ row: Int64) -> String {
            ChangeCursor(epoch: own.epoch, position: ChangePosition(transaction: transaction, row: row)).text
        }
        #expect(try await code(cursor(own.position.transaction - 5, 6)) == "CURSOR_EXPIRED")
        #expect(try await code(cursor(own.position.transaction - 5, 7)) == nil)
        await live.shutdown()
    }

    /// Conversations, what is said in them, and notifications: of those who are in them alone.
    @Test func theMailboxIsItsOwnersAlone() async throws {
        let live = try await LiveWorld.make()
        let before = try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
        let started = try await live.world.ask(
            """
            mutation { startConversation(input: {participantIds: ["\(worldID(.user, 0xB))"]}) { conversation { id } } }
            """, as: .ana)
        let conversation = try #require(started.string("startConversation", "conversation", "id"), "\(started.text)")
        let sent = try await live.world.ask(
            "mutation { sendMessage(input: {conversationId: \"\(conversation)\", text: \"Hi\"}) { message { id } } }",
            as: .ana)
        #expect(sent.isData, "\(sent.text)")
        try await live.settle()
        func kinds(_ scope: String, as person: Person) async throws -> [String] {
            let text = "{ changes(after: \"\(before)\", scopes: [{\(scope)}]) { nodes { kind node { __typename } } } }"
            let answer = try await live.world.ask(text, as: person)
            guard case .list(let nodes) = answer["changes", "nodes"] else { return [answer.code ?? answer.text] }
            return nodes.map { node in
                guard case .object(let node) = node, case .string(let kind) = node["kind"] else { return "?" }
                guard case .object(let object) = node["node"], case .string(let type) = object["__typename"] else {
                    return kind
                }
                return "\(kind) \(type)"
            }
        }
        let messages = "messagesOf: \"\(conversation)\""
        for person in [Person.ana, .ben] {
            #expect(try await kinds("mailbox: MESSAGES", as: person) == ["ADDED Message"])
            #expect(try await kinds(messages, as: person) == ["ADDED Message"])
            // It is there already.
            #expect(try await kinds("mailbox: CONVERSATIONS", as: person) == ["CHANGED Conversation"])
        }
        #expect(try await kinds("mailbox: NOTIFICATIONS", as: .ben) == ["ADDED Notification"])
        #expect(try await kinds("mailbox: NOTIFICATIONS", as: .ana) == [])
        for box in ["MESSAGES", "CONVERSATIONS", "NOTIFICATIONS"] {
            #expect(try await kinds("mailbox: \(box)", as: .mod) == [])
            #expect(try await kinds("mailbox: \(box)", as: .nobody) == ["UNAUTHENTICATED"])
        }
        #expect(try await kinds(messages, as: .mod) == ["NOT_FOUND"])
        await live.shutdown()
    }

    @Test func theListOfChangesIsPaged() async throws {
        let live = try await LiveWorld.make()
        let before = try #require(try await live.world.ask("{ changeCursor }", as: .nobody).string("changeCursor"))
        for number in 0..<5 { try await Self.touch(live, "\(number)") }
        try await live.settle()
        var cursor = before
        var kinds: [String] = []
        var pages: [Int] = []
        try await eventually("the last page, after pages of \(pages)") {
            let page = try await live.world.ask(
                """
                { changes(after: "\(cursor)", scopes: [{feed: {}}, {nodeIds: ["\(worldID(.thought, 0x201))"]}], first: 2) \
                { nodes { kind node { id } } pageInfo { hasNextPage endCursor } } }
                """, as: .nobody)
            cursor = try #require(page.string("changes", "pageInfo", "endCursor"), "\(page.text)")
            guard case .list(let nodes) = page["changes", "nodes"] else { return false }
            for case .object(let node) in nodes {
                if case .string(let kind) = node["kind"] { kinds.append(kind) }
            }
            pages.append(nodes.count)
            return page["changes", "pageInfo", "hasNextPage"] == .boolean(false)
        }
        #expect(kinds == Array(repeating: "CHANGED", count: 5))
        // A page is empty while an older transaction runs, in any database of the cluster.
        #expect(pages.filter { $0 > 0 } == [2, 2, 1])
        let rest = try await live.world.ask(
            "{ changes(after: \"\(cursor)\", scopes: [{feed: {}}]) { nodes { kind } } }", as: .nobody)
        #expect(rest["changes", "nodes"] == .list([]))
        await live.shutdown()
    }
}
