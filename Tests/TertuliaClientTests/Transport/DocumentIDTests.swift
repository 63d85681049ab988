import ClientDocuments
import ClientOperations
import Foundation
import TestSupport
import Testing

@testable import TertuliaClient

/// Documents by ID, and as text where the server does not know them.
@Suite(.timeLimit(.minutes(10))) struct DocumentIDTests {
    private let folder: TemporaryFolder
    private let url = URL(string: "http://127.0.0.1/graphql") ?? URL(fileURLWithPath: "/")

    init() throws { folder = try TemporaryFolder() }

    private static let unknown = """
        {"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}
        """

    private static let page = """
        {"data":{"changeCursor":"10","feed":{"edges":[],"pageInfo":{"hasNextPage":false,"endCursor":null}}}}
        """

    private func client(_ server: ScriptedServer, sendsDocumentIDs: Bool = true) async throws -> Client {
        try await Client(
            url: url, transport: server, credentials: MemoryCredentials(.example()), folder: folder.url,
            schema: .generated, sendsDocumentIDs: sendsDocumentIDs)
    }

    private func document(_ envelope: JSONObject?) -> [String?] {
        [envelope?["documentId"]?.text, envelope?["query"]?.text]
    }

    @Test func textIsSentByDefault() async throws {
        let server = ScriptedServer { _, _ in Self.page }
        let client = try await client(server, sendsDocumentIDs: false)
        _ = try await client.fetch(FeedQuery())
        #expect(await server.envelopes.map(document) == [[nil, FeedQuery.document]])
        await client.close()
    }

    @Test func anIDIsSentInPlaceOfTheText() async throws {
        let server = ScriptedServer { _, _ in Self.page }
        let client = try await client(server)
        _ = try await client.fetch(FeedQuery())
        #expect(await server.envelopes.map(document) == [[FeedQuery.documentID, nil]])
        await client.close()
    }

    @Test func aDocumentThatTheServerDoesNotKnowIsSentAsText() async throws {
        let attempts = Counter()
        let server = ScriptedServer { _, _ in await attempts.next() == 1 ? Self.unknown : Self.page }
        let client = try await client(server)
        _ = try await client.fetch(FeedQuery())
        #expect(await server.envelopes.map(document) == [[FeedQuery.documentID, nil], [nil, FeedQuery.document]])
        await client.close()
    }

    @Test func aWriteIsSentByID() async throws {
        let server = ScriptedServer { _, _ in
            #"{"data":{"likeThought":{"thought":null,"userErrors":[{"code":"NOT_FOUND","message":"Gone.","field":[]}]}}}"#
        }
        let client = try await client(server)
        let id = try await client.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: "thought_1")), objects: ["thought_1"])
        guard case .refused = try await client.outbox.resultInTime(of: id) else {
            Issue.record("The scripted refusal did not arrive.")
            return
        }
        #expect(await server.envelopes.map(document) == [[LikeThoughtMutation.documentID, nil]])
        await client.close()
    }

    @Test func filesAreSentWithTheText() async throws {
        let server = ScriptedServer { _, _ in Self.page }
        let endpoint = Endpoint(url: url, transport: server, sendsDocumentIDs: true)
        let file = UploadFile(name: "a.png", contentType: "image/png", bytes: [1])
        let mutation = CreateThoughtMutation(
            input: CreateThoughtInput(category: .funny, text: "With a picture"), image: .value(file))
        #expect(!mutation.variables.uploads.isEmpty)
        _ = try await endpoint.send(
            CreateThoughtMutation.clientDocument, mutation.variables, accessToken: nil)
        #expect(await server.envelopes.map(document) == [[nil, CreateThoughtMutation.document]])
    }

    /// The query that is read before a write keeps its ID in the store; one that was stored without gets its digest.
    @Test func aStoredRequestKeepsItsID() throws {
        let request = OutboxRequest(
            document: ClientDocument(name: "A", id: "a", text: "query A { a }"), variables: JSONObject())
        #expect(OutboxRequest(request.json) == request)
        let without = JSONValue.object(
            JSONObject([
                ("name", .string("A")), ("document", .string("query A { a }")), ("variables", .object(JSONObject())),
            ]))
        #expect(OutboxRequest(without)?.document.id == SHA256.hexadecimal("query A { a }"))
    }

    @Test func theSessionsDocumentsHaveTheIDsOfTheManifest() async throws {
        let server = ScriptedServer { _, _ in SessionTests.tokens("signIn", token: "t") }
        let session = try Session(
            endpoint: Endpoint(url: url, transport: server, sendsDocumentIDs: true), store: MemoryCredentials(nil))
        try await session.signIn(login: "ana", password: "a long quiet evening")
        let signIn = SessionDocuments.signIn.document
        #expect(await server.envelopes.map(document) == [[signIn.id, nil]])
    }

    /// The subscription goes on under its ID of the socket, and by text over the next socket too.
    @Test func aSubscriptionThatTheServerDoesNotKnowIsSentAsText() async throws {
        let server = ScriptedServer { _, _ in Self.page }
        let client = try await client(server)
        let list = try await client.live(FeedQuery(), changes: FeedChangesSubscription())
        let watcher = await Watcher(list.values)
        let socket = try await server.socket(1)
        let byID = try await socket.accept()
        #expect(document(byID["payload"]?.object) == [FeedChangesSubscription.documentID, nil])
        // It crosses the `subscribe`: the server has sent this subscription nothing up to there.
        socket.say(#"{"type":"ping","payload":{"cursor":"500"}}"#)
        socket.say(
            """
            {"id":"1","type":"error","payload":[{"message":"PersistedQueryNotFound",\
            "extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}
            """)
        let byText = try await socket.next("subscribe")
        #expect(byText["id"] == byID["id"])
        #expect(document(byText["payload"]?.object) == [nil, FeedChangesSubscription.document])
        for subscribe in [byID, byText] {
            #expect(subscribe["payload"]?.object?["variables"]?.object?["after"]?.text == "10")
        }
        socket.say(
            """
            {"id":"1","type":"next","payload":{"data":{"feedChanges":{"kind":"REMOVED","nodeId":"t1","cursor":"11",\
            "node":null}}}}
            """)
        socket.hangUp()
        let again = try await server.socket(2).accept()
        #expect(document(again["payload"]?.object) == [nil, FeedChangesSubscription.document])
        #expect(again["payload"]?.object?["variables"]?.object?["after"]?.text == "11")
        await watcher.stop()
        await client.close()
    }
}
