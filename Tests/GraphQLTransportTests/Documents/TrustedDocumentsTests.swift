import Cryptography
import GraphQL
import Logging
import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct TrustedDocumentsTests {
    private let manifest =
        #"{"hello":"query($n: String) { hello(name: $n) }","two":"query A { hello } query B { viewer }"}"#

    private func trusted(_ manifest: String) throws -> TrustedDocuments {
        try TrustedDocuments(manifest: Array(manifest.utf8))
    }

    @Test func aDocumentRunsByItsID() async throws {
        let documents = try trusted(manifest)
        try await TestServer.run {
            $0.trustedDocuments = documents
        } _: { (server) async throws in
            let reply = try await server.post(#"{"documentId":"hello","variables":{"n":"Ann"}}"#)
            #expect(reply.data?["hello"] == .string("Hello Ann"))
            let named = try await server.post(#"{"documentId":"two","operationName":"A"}"#)
            #expect(named.data?["hello"] == .string("Hello world"))
            let get = try await server.send("GET", "/graphql?documentId=hello")
            #expect(get.data?["hello"] == .string("Hello world"))
            #expect(try await server.post(#"{"documentId":"none"}"#).errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
            // Others run as well.
            #expect(try await server.post(#"{"query":"{ viewer }"}"#).data?["viewer"] == .null)
            let both = try await server.post(#"{"documentId":"hello","query":"{ hello }"}"#)
            #expect(both.status == 400)
        }
    }

    @Test func onlyTrustedDocumentsRun() async throws {
        let documents = try trusted(manifest)
        try await TestServer.run {
            $0.trustedDocuments = documents
            $0.settings.runsOnlyTrustedDocuments = true
        } _: { (server) async throws in
            #expect(try await server.post(#"{"documentId":"hello"}"#).data?["hello"] == .string("Hello world"))
            let hash = SHA256.digest(of: "{ hello }").hex
            for body in [
                #"{"query":"{ hello }"}"#, #"{"query":"query($n: String) { hello(name: $n) }"}"#,
                #"{"documentId":"x"}"#,
                #"{"query":"{ hello }","extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}}"#,
                #"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}}"#,
                #"{"query":"{ __schema { queryType { name } } }"}"#,
            ] {
                let reply = try await server.post(body, accept: "application/graphql-response+json")
                #expect(reply.status == 400)
                #expect(reply.errorCodes == ["DOCUMENT_NOT_TRUSTED"])
            }
        }
    }

    @Test(arguments: [
        ("{", "The manifest is not JSON"), ("[]", "The manifest is not a JSON object."),
        (#"{"a":1,"b":"{ hello }","c":null}"#, "a: the document is not a string.\nc: the document is not a string."),
    ])
    func aManifestIsTextsByID(_ manifest: String, _ message: String) throws {
        let error = try #require(throws: InvalidTrustedDocuments.self) { try trusted(manifest) }
        #expect(error.description.contains(message))
    }

    @Test func everyErrorIsReportedAtTheStart() async throws {
        var server = GraphQLServer(
            schema: try TestSchema.make(), logger: Logger(label: "test"), authenticate: TestContext.authenticate)
        server.trustedDocuments = try trusted(
            #"{"a":"{ nope }","b":"{ hello }","c":"{ hello","d":"{ nope }\n{ hello }"}"#)
        let error = try await #require(throws: InvalidTrustedDocuments.self) { try await server.run() }
        #expect(
            error.description == """
                Trusted documents:
                a:1:3: Cannot query field "nope" on type "Query".
                c:1:8: Syntax Error: Expected Name, found <EOF>.
                d:1:1: This anonymous operation must be the only defined operation.
                d:1:3: Cannot query field "nope" on type "Query".
                d:2:1: This anonymous operation must be the only defined operation.
                """)
    }
}
