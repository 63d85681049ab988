import ClientOperations
import Foundation
import GRDB
import Testing

@testable import TertuliaClient

@Suite(.timeLimit(.minutes(20))) struct SendTests {
    private let folder: TemporaryFolder
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    init() throws { folder = try TemporaryFolder() }

    private func client(_ server: ScriptedServer) async throws -> Client {
        try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example()), folder: folder.url,
            schema: .generated)
    }

    private let like = LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "t1"))

    private static func thought(_ likes: Int) -> String {
        """
        {"__typename":"Thought","id":"t1","text":"Hello","likeCount":\(likes),"viewerHasLiked":true,\
        "rating":{"average":null,"count":0},\
        "author":{"__typename":"User","id":"user_1","username":"ana","displayName":"Ana"}}
        """
    }

    @Test func theAnswerIsReturnedAndItsObjectsAreStored() async throws {
        let server = ScriptedServer { operation, _ in
            operation == "OneThought"
                ? #"{"data":{"thought":\#(Self.thought(3))}}"#
                : #"{"data":{"likeThought":{"thought":\#(Self.thought(4)),"userErrors":[]}}}"#
        }
        let client = try await client(server)
        let query = OneThoughtQuery(id: "t1")
        _ = try await client.fetch(query)
        #expect(try await client.send(like).likeThought?.thought?.likeCount == 4)
        #expect(try await client.cached(query).value?.thought?.likeCount == 4)
        #expect(try await client.outbox.entries().isEmpty)
        await client.close()
    }

    /// Inputs are part of the names of an answer's fields.
    @Test func whatIsSentIsNeverOnDisk() async throws {
        let server = ScriptedServer { _, _ in
            #"{"data":{"likeThought":{"thought":\#(Self.thought(4)),"userErrors":[]}}}"#
        }
        let client = try await client(server)
        let input = LikeThoughtInput(thoughtId: "t1", clientMutationId: .value("SecretCode"))
        // Some builds of SQLite overwrite what they delete, and would hide what was written.
        try await client.accountStore.write { try $0.database.execute(sql: "pragma secure_delete = off") }
        _ = try await client.send(LikeThoughtMutation(input: input))
        let files = try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil)
        let bytes = try files.reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
        #expect(bytes.range(of: Data("likeCount".utf8)) != nil)
        #expect(bytes.range(of: Data("SecretCode".utf8)) == nil)
        await client.close()
    }

    @Test func aRefusalIsThrown() async throws {
        let server = ScriptedServer { _, _ in
            #"{"data":{"likeThought":{"thought":null,"userErrors":[{"code":"NOT_FOUND","message":"Gone.","field":[]}]}}}"#
        }
        let client = try await client(server)
        await #expect(throws: UserErrors.self) { try await client.send(like) }
        await client.close()
    }

    @Test func aFailedMutationIsThrown() async throws {
        let server = ScriptedServer { _, _ in
            #"{"data":{"likeThought":null},"errors":[{"message":"No.","extensions":{"code":"FORBIDDEN"}}]}"#
        }
        let client = try await client(server)
        await #expect(throws: RequestRefused.self) { try await client.send(like) }
        await client.close()
    }

    @Test func nothingWaitsWithoutANetwork() async throws {
        let server = ScriptedServer { _, _ in throw TransportError("The network is down.") }
        let client = try await client(server)
        await #expect(throws: TransportError.self) { try await client.send(like) }
        #expect(try await client.outbox.entries().isEmpty)
        await client.close()
    }
}
