import Cryptography
import GraphQL
import Testing

@testable import GraphQLTransport

/// Apollo: Automatic Persisted Queries
@Suite(.timeLimit(.minutes(10)))
struct PersistedQueriesTests {
    private let strict = "application/graphql-response+json"

    private func body(_ query: String?, hash: String, version: Int = 1) -> String {
        let query = query.map { "\"query\":\"\($0)\"," } ?? ""
        return "{\(query)\"extensions\":{\"persistedQuery\":{\"version\":\(version),\"sha256Hash\":\"\(hash)\"}}}"
    }

    private func hash(_ text: String) -> String { SHA256.digest(of: text).hex }

    @Test func aDocumentIsKnownByItsDigestOnceItWasSent() async throws {
        try await TestServer.run { (server) async throws in
            let hash = hash("{ hello }")
            for accept in [strict, "application/json"] {
                let unknown = try await server.post(body(nil, hash: hash), accept: accept)
                #expect(unknown.status == 200)
                #expect(unknown.errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
                #expect(unknown.messages == ["PersistedQueryNotFound"])
            }
            #expect(try await server.post(body("{ hello }", hash: hash)).data?["hello"] == .string("Hello world"))
            #expect(try await server.post(body(nil, hash: hash)).data?["hello"] == .string("Hello world"))
            #expect(try await server.post(body(nil, hash: hash.uppercased())).data?["hello"] == .string("Hello world"))
            let get = try await server.send(
                "GET",
                "/graphql?extensions=%7B%22persistedQuery%22%3A%7B%22version%22%3A1%2C%22sha256Hash%22%3A%22"
                    + "\(hash)%22%7D%7D"
            )
            #expect(get.data?["hello"] == .string("Hello world"))
        }
    }

    @Test func aDocumentThatWasSentWithoutDigestIsNotKnownByIt() async throws {
        try await TestServer.run { (server) async throws in
            _ = try await server.post(#"{"query":"{ hello }"}"#)
            #expect(
                try await server.post(body(nil, hash: hash("{ hello }"))).errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
        }
    }

    @Test func aDigestThatDoesNotMatchIsRefused() async throws {
        try await TestServer.run { (server) async throws in
            let wrong = hash("{ viewer }")
            let reply = try await server.post(body("{ hello }", hash: wrong))
            #expect(reply.status == 400)
            #expect(reply.errorCodes == ["BAD_REQUEST"])
            #expect(try await server.post(body(nil, hash: wrong)).errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
        }
    }

    @Test func anInvalidDocumentIsNotKept() async throws {
        try await TestServer.run { (server) async throws in
            let hash = hash("{ nope }")
            #expect(try await server.post(body("{ nope }", hash: hash)).errorCodes == ["GRAPHQL_VALIDATION_FAILED"])
            #expect(try await server.post(body(nil, hash: hash)).errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
        }
    }

    @Test(arguments: [
        #"{"version":2,"sha256Hash":"aa"}"#, #"{"version":1,"sha256Hash":"aa"}"#, #"{"version":1}"#, "1", "[]",
        #"{"version":1,"sha256Hash":1}"#,
    ])
    func aMalformedExtensionIsRefused(_ value: String) async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.post("{\"query\":\"{ hello }\",\"extensions\":{\"persistedQuery\":\(value)}}")
            #expect(reply.status == 400)
            #expect(reply.errorCodes == ["BAD_REQUEST"])
        }
    }

    @Test func aServerThatTakesNoneSaysSo() async throws {
        try await TestServer.run {
            $0.settings.persistedQueries = nil
        } _: { (server) async throws in
            for query in [nil, "{ hello }"] {
                let reply = try await server.post(body(query, hash: hash("{ hello }")), accept: strict)
                #expect(reply.status == 200)
                #expect(reply.errorCodes == ["PERSISTED_QUERY_NOT_SUPPORTED"])
            }
            #expect(try await server.post(#"{"query":"{ hello }"}"#).data?["hello"] == .string("Hello world"))
        }
    }

    @Test func theStoreIsBounded() throws {
        let store = PersistedQueries(count: 10, bytes: 10_000)
        let texts = (0..<50).map { "{ hello(name: \"\($0)\") }" }
        for text in texts {
            store.insert(text, hash: hash(text))
            #expect(store.count <= 10)
            // What is used stays.
            #expect(store[hash(texts[0])] != nil)
        }
        #expect(store[hash(texts[49])] != nil)
        #expect(store[hash(texts[10])] == nil)
        let long = "{ hello } #" + String(repeating: "x", count: 10_000)
        store.insert(long, hash: hash(long))
        #expect(store[hash(long)] == nil)
        for number in 0..<50 {
            let text = "{ hello } #\(number)" + String(repeating: "x", count: 2_000)
            store.insert(text, hash: hash(text))
            #expect(store.size <= 10_000)
        }
    }
}
