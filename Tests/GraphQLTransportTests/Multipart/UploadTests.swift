import GraphQL
import GraphQLTransport
import NIOCore
import Testing

/// Multipart requests from end to end.
@Suite(.timeLimit(.minutes(10)))
struct UploadTests {
    private let mutation =
        "mutation($file: Upload, $files: [Upload!]) { upload(file: $file, files: $files) "
        + "{ filename contentType text } }"
    private let headers = [("Content-Type", MultipartBody.contentType), ("GraphQL-Require-Preflight", "1")]

    private func operations(_ variables: String) -> String { "{\"query\":\"\(mutation)\",\"variables\":\(variables)}" }

    private var single: String {
        MultipartBody.request(operations(#"{"file":null}"#), map: #"{"0":["variables.file"]}"#) {
            $0.addFile("0", "../../a.txt", "alpha")
        }
    }

    private func file(_ filename: String, _ text: String) -> InputValue {
        .object(
            InputObject([
                (name: "filename", value: .string(filename)), (name: "contentType", value: .string("text/plain")),
                (name: "text", value: .string(text)),
            ]))
    }

    @Test func aResolverGetsTheFile() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send("POST", "/graphql", headers, body: single)
            #expect(reply.status == 200)
            #expect(reply.data?["upload"] == .list([file("a.txt", "alpha")]))
        }
    }

    @Test func filesStandInListsAndInputObjects() async throws {
        try await TestServer.run { (server) async throws in
            let list = MultipartBody.request(
                operations(#"{"files":[null,null]}"#), map: #"{"0":["variables.files.0"],"1":["variables.files.1"]}"#
            ) {
                $0.addFile("0", "a", "alpha")
                $0.addFile("1", "b", "beta")
            }
            let files = try await server.send("POST", "/graphql", headers, body: list)
            #expect(files.data?["upload"] == .list([file("a", "alpha"), file("b", "beta")]))
            let attached = MultipartBody.request(
                #"{"query":"mutation($a: Attachment) { upload(attachment: $a) { text } }","#
                    + #""variables":{"a":{"file":null}}}"#,
                map: #"{"0":["variables.a.file"]}"#
            ) { $0.addFile("0", "a", "alpha") }
            let reply = try await server.send("POST", "/graphql", headers, body: attached)
            #expect(reply.body == #"{"data":{"upload":[{"text":"alpha"}]}}"#)
        }
    }

    @Test(arguments: [
        "GraphQL-Require-Preflight", "Apollo-Require-Preflight", "X-Apollo-Operation-Name", "authorization",
    ])
    func needsAHeaderThatNoFormCanSend(_ name: String) async throws {
        try await TestServer.run { (server) async throws in
            let type = ("Content-Type", MultipartBody.contentType)
            let forged = try await server.send("POST", "/graphql", [type], body: single)
            #expect(forged.status == 400)
            #expect(forged.errorCodes == ["BAD_REQUEST"])
            let empty = try await server.send("POST", "/graphql", [type, (name, "")], body: single)
            #expect(empty.status == 400)
            let asked = try await server.send("POST", "/graphql", [type, (name, "Bearer ann")], body: single)
            #expect(asked.data?["upload"] == .list([file("a.txt", "alpha")]))
        }
    }

    @Test func theBodyMayComeByteByByte() async throws {
        try await TestServer.run { (server) async throws in
            let head = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
            try await server.connect { (connection) async throws in
                try await connection.write(
                    "POST /graphql HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\(head)\r\n")
                for character in single.unicodeScalars { try await connection.write("1\r\n\(character)\r\n") }
                try await connection.write("0\r\n\r\n")
                #expect(try await connection.reply().data?["upload"] == .list([file("a.txt", "alpha")]))
                // The connection serves on.
                try await connection.write("GET /graphql?query=%7Bhello%7D HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try await connection.reply().data?["hello"] == .string("Hello world"))
            }
        }
    }

    @Test(arguments: [
        ("{", #"{}"#), ("[]", "{}"), (#"[{"query":"{ hello }"}]"#, "{}"), ("{}", "{}"),
        (#"{"query":"{ hello }"}"#, "1"),
        (#"{"query":"{ hello }"}"#, #"{"0":["variables.file"]}"#),
    ])
    func malformedRequestsGetOneError(_ operations: String, _ map: String) async throws {
        try await TestServer.run { (server) async throws in
            let body = MultipartBody.request(operations, map: map)
            let reply = try await server.send("POST", "/graphql", headers, body: body)
            #expect(reply.status == 400)
            #expect(reply.errorCodes == ["BAD_REQUEST"])
        }
    }

    @Test func aBodyThatBreaksOffIsRefused() async throws {
        try await TestServer.run { (server) async throws in
            let reply = try await server.send("POST", "/graphql", headers, body: String(single.dropLast(20)))
            #expect(reply.status == 400)
            #expect(reply.messages == ["The body ends before its last boundary."])
        }
    }

    @Test func oneByteOverTheLimitIsRefused() async throws {
        try await TestServer.run {
            $0.settings.uploads?.fileSize = 10_000
        } _: { (server) async throws in
            for (size, status) in [(10_000, 200), (10_001, 413)] {
                let body = MultipartBody.request(operations(#"{"file":null}"#), map: #"{"0":["variables.file"]}"#) {
                    $0.addFile("0", "a", String(repeating: "x", count: size))
                }
                #expect(try await server.send("POST", "/graphql", headers, body: body).status == status)
            }
        }
    }

    @Test func aLengthOverTheLimitIsRefusedBeforeTheBody() async throws {
        try await TestServer.run { (server) async throws in
            let head = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
            try await server.connect { (connection) async throws in
                try await connection.write(
                    "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\(head)\r\n")
                #expect(try await connection.reply().status == 413)
            }
        }
    }

    @Test func noValueButAFileIsAnUpload() async throws {
        try await TestServer.run { (server) async throws in
            for value in ["\"a.txt\"", "1", "{}"] {
                let reply = try await server.post(operations("{\"file\":\(value)}"))
                #expect(reply.errorCodes == ["BAD_USER_INPUT"])
            }
            let literal = try await server.post(#"{"query":"mutation { upload(file: \"a\") { text } }"}"#)
            #expect(literal.errorCodes == ["GRAPHQL_VALIDATION_FAILED"])
        }
    }

    @Test func noOtherScalarTakesAFile() async throws {
        try await TestServer.run { (server) async throws in
            let body = MultipartBody.request(
                #"{"query":"query($name: String) { hello(name: $name) }","variables":{"name":null}}"#,
                map: #"{"0":["variables.name"]}"#
            ) { $0.addFile("0", "a", "alpha") }
            let reply = try await server.send("POST", "/graphql", headers, body: body)
            #expect(reply.errorCodes == ["BAD_USER_INPUT"])
        }
    }

    @Test func canBeTurnedOff() async throws {
        try await TestServer.run {
            $0.settings.uploads = nil
        } _: { (server) async throws in
            #expect(try await server.send("POST", "/graphql", headers, body: single).status == 415)
        }
    }
}
