import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// Transactions that began in another order than that in which they changed one object. Whoever follows a list has the
/// object at the end if and only if the list has it. One test at a time, because all wait for the oldest transaction of
/// the cluster.
@Suite(.serialized) struct OverlappingWritesTests {
    /// The oldest transaction changes a thought that a younger one has made, and is read before the younger one may be.
    @Test(arguments: [
        "unpublishThought(input: {id: \"ID\"})", "deleteThought(input: {id: \"ID\"})",
    ])
    func aChangeByTheOldestTransaction(_ end: String) async throws {
        let world = try await HiddenWorld.make()
        let (id, uuid) = (worldID(.thought, 0x2D1), worldUUID(0x2D1))
        let readers = [try await world.feed(as: .nobody), try await world.feed(as: .ben)]
        let (oldest, middle) = (try await world.transaction(), try await world.transaction())
        try await world.mutate("createThought(input: {id: \"\(id)\", category: FUNNY, text: \"New\"})", as: .ana)
        try await oldest.commit("update thoughts set category = 'CRAZY' where id = '\(uuid)'")
        try await world.waitForTail([middle])
        for reader in readers { try await eventually("what is read so far has come") { reader.isCaughtUp } }
        try await world.mutate(end.replacing("ID", with: id), as: .ana)
        try await middle.commit("select")
        try await world.live.settle()
        for reader in readers {
            try await eventually("all has come") { reader.isCaughtUp }
            #expect(!HiddenWorld.kept(reader.all).contains(id), "\(HiddenWorld.told(reader.all))")
        }
        await world.live.shutdown()
    }

    struct Writes: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// `{id}` is the thought's id.
        let writes: [String]
        /// Whether the feed has the thought before the writes, and after them.
        var isThereBefore = false
        let isThereAfter: Bool
    }

    private static func create(_ author: UInt64) -> String {
        """
        insert into thoughts (id, author_id, category, text, status, published_at)
        values ('{id}', '\(worldUUID(author))', 'FUNNY', 'A thought', 'PUBLISHED', now())
        """
    }

    private static let edit = "update thoughts set category = 'CRAZY' where id = '{id}'"
    private static let hide = "update thoughts set status = 'DRAFT', published_at = null where id = '{id}'"
    private static let publish = "update thoughts set status = 'PUBLISHED', published_at = now() where id = '{id}'"
    private static let delete = "delete from thoughts where id = '{id}'"

    static let cases = [
        Writes(
            testDescription: "made, edited, hidden and deleted", writes: [create(0xA), edit, hide, delete],
            isThereAfter: false),
        Writes(
            testDescription: "made, hidden, published and edited", writes: [create(0xA), hide, publish, edit],
            isThereAfter: true),
        Writes(
            testDescription: "hidden, edited, published and hidden", writes: [hide, edit, publish, hide],
            isThereBefore: true, isThereAfter: false),
        Writes(
            testDescription: "deleted, and its id given to another", writes: [delete, create(0xC), hide, publish],
            isThereBefore: true, isThereAfter: true),
    ]

    /// Each order in which the four transactions can have begun.
    @Test(arguments: Self.cases) func aThought(_ writes: Writes) async throws {
        let world = try await HiddenWorld.make()
        let feeds = [try await world.feed(as: .nobody), try await world.feed(as: .ben)]
        for (number, order) in permutations(of: Array(writes.writes.indices)).enumerated() {
            let low = 0x9000 + UInt64(number)
            let id = worldID(.thought, low)
            func script(_ text: String) -> String { text.replacing("{id}", with: "\(worldUUID(low))") }
            if writes.isThereBefore { try await world.live.world.execute(script: script(Self.create(0xA))) }
            try await world.live.settle()
            let start = try world.cursor()
            let named = try await world.live.subscribe(
                "nodeChanges(ids: [\"\(id)\"]) { kind nodeId node { id } }", as: .ben)

            try await world.perform(writes.writes.map(script), order) {
                for reader in feeds + [named] {
                    try await eventually("what is read so far has come") { reader.isCaughtUp }
                }
            }

            for reader in feeds + [named] { try await eventually("all has come") { reader.isCaughtUp } }
            let before: Set<String> = writes.isThereBefore ? [id] : []
            let late = try await world.feed(after: start, as: .ben)
            try await eventually("what was missed has come") { late.isCaughtUp }
            let list = try await world.list(after: start, as: .ben)
            let kept = [
                HiddenWorld.kept(feeds[0].all, before), HiddenWorld.kept(feeds[1].all, before),
                HiddenWorld.kept(named.all, before, "nodeChanges"), HiddenWorld.kept(late.all, before),
                HiddenWorld.kept(list, before),
            ].map { $0.contains(id) }
            #expect(kept.allSatisfy { $0 == writes.isThereAfter }, "\(order): \(kept), \(list)")
            for reader in [named, late] { reader.close() }
        }
        await world.live.shutdown()
    }

    /// A block of one account, and its end, by transactions that began in any order.
    @Test func aBlock() async throws {
        let world = try await HiddenWorld.make()
        let id = HiddenWorld.bens[0]
        let (ana, ben) = (worldUUID(0xA), worldUUID(0xB))
        let writes = [
            "insert into blocks (blocker_id, blocked_id) values ('\(ana)', '\(ben)')",
            "delete from blocks where blocker_id = '\(ana)' and blocked_id = '\(ben)'",
            "insert into blocks (blocker_id, blocked_id) values ('\(ben)', '\(ana)')",
            "delete from blocks where blocker_id = '\(ben)' and blocked_id = '\(ana)'",
        ]
        let feed = try await world.feed(as: .ana)
        for order in permutations(of: Array(writes.indices)) {
            let start = try world.cursor()
            try await world.perform(writes, order) {
                try await eventually("what is read so far has come") { feed.isCaughtUp }
            }
            // No block is left. A subscription that still knew one would not get the change of the person's thought.
            try await world.edit(id, as: .ben)
            try await world.live.settle()
            try await eventually("all has come") { feed.isCaughtUp }
            #expect(HiddenWorld.told(feed.all).last == "CHANGED \(id)", "\(order)")
            let late = try await world.feed(after: start, as: .ana)
            try await eventually("what was missed has come") { late.isCaughtUp }
            #expect(HiddenWorld.told(late.all).last == "CHANGED \(id)", "\(order)")
            #expect(try await world.list(after: start, as: .ana).last == "CHANGED \(id)", "\(order)")
            late.close()
        }
        await world.live.shutdown()
    }
}

extension HiddenWorld {
    /// The ids that a client has that applies these events to what it had before.
    fileprivate static func kept(
        _ answers: [Answer], _ before: Set<String> = [], _ field: String = "feedChanges"
    ) -> Set<String> {
        kept(told(answers, field), before)
    }

    fileprivate static func kept(_ told: [String], _ before: Set<String>) -> Set<String> {
        told.reduce(into: before) { kept, event in
            let words = event.split(separator: " ").map(String.init)
            guard let id = words.last, words.count == 2 else { return }
            if words[0] == "REMOVED" { kept.remove(id) } else { kept.insert(id) }
        }
    }
}
