import ClientOperations
import Foundation
import Testing

@testable import TertuliaClient

/// Answers that come after newer ones.
@Suite(.timeLimit(.minutes(20))) struct OlderAnswerTests {
    private let folder: TemporaryFolder
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")
    private let query = OneThoughtQuery(id: "t1")
    private let like = LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t1"))

    init() throws { folder = try TemporaryFolder() }

    private static func thought(_ likes: Int, liked: Bool = true) -> String {
        """
        {"__typename":"Thought","id":"t1","text":"Hello","likeCount":\(likes),"viewerHasLiked":\(liked),\
        "rating":{"average":null,"count":0},\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}
        """
    }

    private static func liked(_ likes: Int) -> String {
        #"{"data":{"likeThought":{"thought":\#(thought(likes)),"userErrors":[]}}}"#
    }

    private func client(_ server: ScriptedServer) async throws -> Client {
        try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example()), folder: folder.url,
            schema: .generated, mutations: [LikeThoughtMutation.self])
    }

    private func likes(_ value: StoredValue<OneThoughtQuery.Data>) -> Int? { value.value?.thought?.likeCount }

    /// The query is asked before the write, and answered after it. No list is followed, so no change would mend it.
    @Test(arguments: [false, true]) func anOlderAnswerUndoesNoWrite(isQueued: Bool) async throws {
        let gate = Gate()
        let server = ScriptedServer { operation, _ in
            if operation == "LikeThought" { return Self.liked(4) }
            await gate.wait()
            return #"{"data":{"thought":\#(Self.thought(3, liked: false))}}"#
        }
        let client = try await client(server)
        async let fetched = client.fetch(query)
        while await server.count(of: "OneThought") == 0 { try await Task.sleep(for: .milliseconds(2)) }
        if isQueued {
            let id = try await client.perform(like, objects: ["t1"])
            #expect(try await client.outbox.result(of: id) == .done)
        } else {
            _ = try await client.send(like)
        }
        await gate.open()
        #expect(likes(try await fetched) == 4)
        #expect(try await client.cached(query).value?.thought?.viewerHasLiked == true)
        // A query that is asked after the write has the server's word.
        #expect(likes(try await client.fetch(query)) == 3)
        await client.close()
    }

    /// The answer to a write is never older than the write.
    @Test func theAnswerToAWriteStays() async throws {
        let gate = Gate()
        let attempts = Counter()
        let server = ScriptedServer { _, _ in
            if await attempts.next() > 1 { return Self.liked(4) }
            await gate.wait()
            return Self.liked(5)
        }
        let client = try await client(server)
        let id = try await client.perform(like, objects: ["t1"])
        while await server.count(of: "LikeThought") == 0 { try await Task.sleep(for: .milliseconds(2)) }
        _ = try await client.send(like)
        await gate.open()
        #expect(try await client.outbox.result(of: id) == .done)
        let stored = try await client.accountStore.database.read { try RecordTable.record("t1", in: $0) }
        #expect(stored?["likeCount"] == .int(5))
        await client.close()
    }
}
