import GraphQL
import Postgres
import TestSupport
import Testing

@testable import App

/// Two writers of one object, of whom the later began first. The log has both rows at once, in the order of the writes,
/// and the object has its last state when the first row is read.
@Suite struct PresentMatchTests {
    private static let thought = worldUUID(0x201)

    /// The first script is committed while the transaction of the second is under way, before its statement.
    private static func interleave(_ live: LiveWorld, _ first: String, _ second: String) async throws {
        let older = try await DedicatedConnection.open(ConnectionConfiguration(live.world.url))
        try await older.execute(script: "begin; select pg_current_xact_id()")
        try await live.world.execute(script: first)
        try await older.execute(script: "\(second); commit")
        await older.close()
    }

    private static func set(_ status: String, _ category: String = "FUNNY") -> String {
        let published = status == "DRAFT" ? "null" : "now()"
        return "update thoughts set status = '\(status)', category = '\(category)', published_at = \(published) "
            + "where id = '\(thought)'"
    }

    private static func kinds(_ answers: [Answer]) -> [String?] {
        answers.map { $0.string("feedChanges", "kind") }
    }

    @Test func whatCameBackStays() async throws {
        let live = try await LiveWorld.make()
        let funny = try await live.subscribe(
            "feedChanges(filter: {categories: [FUNNY]}) { kind node { id } }", as: .nobody)
        let all = try await live.subscribe("feedChanges { kind node { id } }", as: .ben)
        try await Self.interleave(live, Self.set("DRAFT"), Self.set("PUBLISHED"))
        for subscriber in [funny, all] {
            let answers = try await subscriber.take(2)
            #expect(Self.kinds(answers) == ["CHANGED", "ADDED"])
            #expect(answers.allSatisfy { $0.string("feedChanges", "node", "id") != nil })
        }
        await live.shutdown()
    }

    @Test func whatLeftAFilterIsGone() async throws {
        let live = try await LiveWorld.make()
        try await live.world.execute(script: Self.set("PUBLISHED", "CRAZY"))
        try await live.settle()
        let funny = try await live.subscribe(
            "feedChanges(filter: {categories: [FUNNY]}) { kind node { id } }", as: .ana)
        let own = try await live.subscribe("feedChanges { kind node { id } }", as: .ana)
        try await Self.interleave(live, Self.set("PUBLISHED"), Self.set("DRAFT"))
        // A draft that she can read, but that is not in the feed. What would bring it there is not told.
        #expect(Self.kinds(try await own.take(1)) == ["REMOVED"])
        // The row that the draft hides is read before the draft ends; afterwards it would be told as CHANGED.
        try await live.settle()
        try await eventually("both have read the hidden row") { [funny, own].allSatisfy(\.isCaughtUp) }
        try await live.world.execute(script: Self.set("PUBLISHED"))
        #expect(Self.kinds(try await own.take(2)) == ["REMOVED", "ADDED"])
        // It was never in the list of funny thoughts before.
        #expect(Self.kinds(try await funny.take(1)) == ["ADDED"])
        await live.shutdown()
    }
}
