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
}

extension HiddenWorld {
    /// The ids that a client of the feed has that applies these events.
    static func kept(_ answers: [Answer]) -> Set<String> {
        told(answers).reduce(into: []) { kept, event in
            let words = event.split(separator: " ").map(String.init)
            guard let id = words.last, words.count == 2 else { return }
            if words[0] == "REMOVED" { kept.remove(id) } else { kept.insert(id) }
        }
    }
}
