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
            let named = try await server.post(#"{"documentId":"two","operationName":"A"}"#)
            #expect(named.data?["hello"] == .string("Hello world"))
            #expect(try await server.post(#"{"documentId":"none"}"#).errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
            // Others run as well.
            #expect(try await server.post(#"{"query":"{ viewer }"}"#).data?["viewer"] == .null)
            let both = try await server.post(#"{"documentId":"hello","query":"{ hello }"}"#)
            #expect(both.status == 400)
        }
    }

    /// Each way in which a client names a document, on a server that runs only trusted documents and on one that runs others.
    @Test(arguments: [false, true])
    func aDocumentIsKnownByItsIDItsDigestAndItsText(_ isAlone: Bool) async throws {
        let text = "query($n: String) { hello(name: $n) }"
        let hash = SHA256.digest(of: text).hex
        let manifests = [
            #"{"hello":"\#(text)"}"#, #"{"hello":{"name":"Hello","source":"\#(text)"}}"#,
            #"{"version":1,"operations":[{"id":"hello","name":"Hello","type":"query","body":"\#(text)"}]}"#,
            #"{"operations":{"hello":{"name":"Hello","type":"query","body":"\#(text)"}}}"#,
        ]
        for manifest in manifests {
            let documents = try trusted(manifest)
            try await TestServer.run {
                $0.trustedDocuments = documents
                $0.settings.runsOnlyTrustedDocuments = isAlone
                // Trusted documents are no automatic persisted queries.
                $0.settings.persistedQueries = nil
            } _: { (server) async throws in
                for document in [
                    #""documentId":"hello""#, #""documentId":"sha256:\#(hash)""#, #""documentId":"\#(hash)""#,
                    #""query":"\#(text)""#, persisted(hash), persisted(hash.uppercased()), persisted("hello"),
                    #""query":"\#(text)",\#(persisted(hash))"#, #""query":"\#(text)",\#(persisted("hello"))"#,
                    #""query":"","documentId":"hello""#, #""query":"",\#(persisted(hash))"#,
                ] {
                    let body = #"{\#(document),"variables":{"n":"Ann"}}"#
                    #expect(try await server.post(body).data?["hello"] == .string("Hello Ann"), "\(body)")
                    try await server.socket { (client) async throws in
                        try await client.open()
                        try await client.send(#"{"id":"1","type":"subscribe","payload":\#(body)}"#)
                        let next = #"{"id":"1","type":"next","payload":{"data":{"hello":"Hello Ann"}}}"#
                        #expect(try await client.message() == next)
                    }
                }
                let extensions =
                    "%7B%22persistedQuery%22%3A%7B%22version%22%3A1%2C%22sha256Hash%22%3A%22\(hash)%22%7D%7D"
                for query in ["documentId=sha256%3A\(hash)", "extensions=\(extensions)"] {
                    let get = try await server.send("GET", "/graphql?\(query)")
                    #expect(get.data?["hello"] == .string("Hello world"), "\(query)")
                }
                let mismatch = try await server.post(
                    #"{"query":"\#(text)",\#(persisted(SHA256.digest(of: "{ hello }").hex))}"#)
                #expect(mismatch.errorCodes == ["BAD_REQUEST"])
            }
        }
    }

    /// A manifest changes nothing for documents that are not in it.
    @Test func automaticPersistedQueriesWorkBesideAManifest() async throws {
        let documents = try trusted(manifest)
        try await TestServer.run {
            $0.trustedDocuments = documents
        } _: { (server) async throws in
            let hash = SHA256.digest(of: "{ hello }").hex
            let byHash = "{\(persisted(hash))}"
            #expect(try await server.post(byHash).errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
            let both = #"{"query":"{ hello }",\#(persisted(hash))}"#
            #expect(try await server.post(both).data?["hello"] == .string("Hello world"))
            #expect(try await server.post(byHash).data?["hello"] == .string("Hello world"))
            let wrong = #"{"query":"{ viewer }",\#(persisted(hash))}"#
            #expect(try await server.post(wrong).errorCodes == ["BAD_REQUEST"])
            let malformed = #"{"query":"{ hello }","extensions":{"persistedQuery":1}}"#
            #expect(try await server.post(malformed).errorCodes == ["BAD_REQUEST"])
        }
    }

    /// IDs need not be SHA-256: a client of a newer manifest falls back to the text.
    @Test func anUnknownIDOfAnyFormIsNotFound() async throws {
        let documents = try trusted(manifest)
        try await TestServer.run {
            $0.trustedDocuments = documents
        } _: { (server) async throws in
            #expect(try await server.post("{\(persisted("newer"))}").errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
            let text = #"{"query":"{ viewer }",\#(persisted("newer"))}"#
            #expect(try await server.post(text).data?["viewer"] == .null)
            #expect(try await server.post("{\(persisted("newer"))}").errorCodes == ["PERSISTED_QUERY_NOT_FOUND"])
        }
    }

    @Test func serverSentEventsAndFormsRunTrustedDocumentsAlone() async throws {
        let documents = try trusted(manifest)
        try await TestServer.run {
            $0.trustedDocuments = documents
            $0.settings.runsOnlyTrustedDocuments = true
        } _: { (server) async throws in
            for (body, expected) in [
                (#"{"documentId":"hello"}"#, "Hello world"), (#"{"query":"{ hello }"}"#, "DOCUMENT_NOT_TRUSTED"),
            ] {
                let events = try await server.post(body, accept: "text/event-stream")
                #expect(events.body.contains(expected), "\(events.body)")
                let form = try await server.send(
                    "POST", "/graphql",
                    [("Content-Type", "multipart/form-data; boundary=b"), ("GraphQL-Require-Preflight", "1")],
                    body: "--b\r\nContent-Disposition: form-data; name=\"operations\"\r\n\r\n\(body)\r\n"
                        + "--b\r\nContent-Disposition: form-data; name=\"map\"\r\n\r\n{}\r\n--b--\r\n")
                #expect(form.body.contains(expected), "\(form.body)")
            }
        }
    }

    /// The members of a request that name a document as Apollo's clients do.
    private func persisted(_ hash: String) -> String {
        #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
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
                #"{"query":"{ hello }"}"#, #"{"query":"query($n: String) { hello(name: $n) } "}"#,
                #"{"query":"query($n: String) { hello(name: $n) viewer }"}"#, #"{"documentId":"x"}"#,
                #"{"documentId":"sha256:"}"#, #"{"documentId":""}"#, #"{"query":"{ hello }",\#(persisted(hash))}"#,
                "{\(persisted(hash))}", "{\(persisted("x"))}", #"{"query":"{ __schema { queryType { name } } }"}"#,
            ] {
                let reply = try await server.post(body, accept: "application/graphql-response+json")
                #expect(reply.status == 400)
                #expect(reply.errorCodes == ["DOCUMENT_NOT_TRUSTED"], "\(body)")
            }
            let mixed = #"{"query":"query($n: String) { hello(name: $n) }",\#(persisted("two"))}"#
            #expect(try await server.post(mixed).errorCodes == ["BAD_REQUEST"])
        }
    }

    @Test(arguments: [
        ("{", "The manifest is not JSON"), ("[]", "The manifest is not a JSON object."),
        (#"{"a":1,"b":"{ hello }","c":null}"#, "a: the document is not a string.\nc: the document is not a string."),
        (#"{"a":{"name":"A"}}"#, "a: the document is not a string."),
        (
            #"{"format":"other","version":2,"operations":[1,{"body":"{ hello }"},{"id":"a"}]}"#,
            """
            The manifest's "format" is not "apollo-persisted-query-manifest".
            The manifest's "version" is not 1.
            operations[0]: the operation is not an object.
            operations[1]: "id" is not a string.
            operations[2]: "body" is not a string.
            """
        ),
    ])
    func faultsOfAManifestAreNamed(_ manifest: String, _ message: String) throws {
        let error = try #require(throws: InvalidTrustedDocuments.self) { try trusted(manifest) }
        #expect(error.description.contains(message))
    }

    @Test func apollosManifestIsRead() throws {
        let documents = try trusted(
            """
            {"format":"apollo-persisted-query-manifest","version":1,"operations":[
            {"id":"1","name":"A","type":"query","body":"query A { hello }"},
            {"id":"2","name":"B","type":"mutation","body":"mutation B { touch }"}]}
            """)
        #expect(documents.entries.map(\.id) == ["1", "2"])
        #expect(documents.entries.map(\.text) == ["query A { hello }", "mutation B { touch }"])
    }

    @Test func problemsOfApollosManifestNameTheOperation() async throws {
        var server = GraphQLServer(
            schema: try TestSchema.make(), logger: Logger(label: "test"), authenticate: TestContext.authenticate)
        server.trustedDocuments = try trusted(
            """
            {"version":1,"operations":[
            {"id":"1","name":"A","type":"query","body":"query A { nope }"},
            {"id":"2","name":"B","type":"query","body":"query B { hello }","clientName":"web"},
            {"id":"2","name":"B","type":"query","body":"query B { hello }","clientName":"iOS"},
            {"id":"2","name":"C","type":"query","body":"query C { hello }"}]}
            """)
        let error = try await #require(throws: InvalidTrustedDocuments.self) { try await server.run() }
        #expect(
            error.problems == [
                #"A (1):1:11: Cannot query field "nope" on type "Query"."#, "C (2): another document has this ID.",
            ])
    }

    @Test func anIDThatIsAnotherDocumentsDigestIsReported() async throws {
        var server = GraphQLServer(
            schema: try TestSchema.make(), logger: Logger(label: "test"), authenticate: TestContext.authenticate)
        let hash = SHA256.digest(of: "{ hello }").hex
        server.trustedDocuments = try trusted(#"{"sha256:\#(hash)":"{ viewer }","a":"{ hello }"}"#)
        let error = try await #require(throws: InvalidTrustedDocuments.self) { try await server.run() }
        #expect(error.problems == ["sha256:\(hash): the ID is the SHA-256 of another document."])
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
