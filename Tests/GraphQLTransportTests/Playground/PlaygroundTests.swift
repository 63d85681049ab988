import Testing

@testable import GraphQLTransport

@Suite(.timeLimit(.minutes(10)))
struct PlaygroundTests {
    @Test func isServedToBrowsers() async throws {
        try await TestServer.run { (server) async throws in
            for target in ["/", "/graphql"] {
                let page = try await server.send("GET", target, [("Accept", "text/html,*/*;q=0.8")])
                #expect(page.status == 200)
                #expect(page["Content-Type"] == "text/html; charset=utf-8")
                #expect(page.body.hasPrefix("<!doctype html>"))
                #expect(page["Content-Security-Policy"] == PlaygroundPage.contentSecurityPolicy)
            }
            #expect(try await server.send("GET", "/graphql", [("Accept", "application/json")]).status == 400)
        }
    }

    @Test func canBeSwitchedOff() async throws {
        try await TestServer.run {
            $0.settings.isPlaygroundEnabled = false
            $0.addRoutes = { SwitchedOffPlayground.add(to: $0) }
        } _: { (server) async throws in
            let page = try await server.send("GET", "/")
            #expect(page.status == 200)
            #expect(page.body.contains("switched off"))
            #expect(!page.body.contains("<script"))
            #expect(try await server.send("GET", "/playground/main.js").status == 404)
            #expect(try await server.send("GET", "/graphql", [("Accept", "text/html")]).status == 406)
        }
    }

    @Test func filesHaveTheirTypesAndEntityTags() async throws {
        try await TestServer.run { (server) async throws in
            let script = try await server.send("GET", "/playground/main.js")
            #expect(script.status == 200)
            #expect(script["Content-Type"] == "text/javascript; charset=utf-8")
            #expect(script["X-Content-Type-Options"] == "nosniff")
            let tag = try #require(script["ETag"])
            #expect(try await server.send("GET", "/playground/main.js", [("If-None-Match", tag)]).status == 304)
            #expect(try await server.send("GET", "/playground/main.js", [("If-None-Match", "\"other\"")]).status == 200)
            let encoded = [("Accept-Encoding", "deflate, gzip;q=0.8, br")]
            let compressed = try await server.send("GET", "/playground/main.js", encoded)
            #expect(compressed["Content-Encoding"] == "gzip")
            #expect(compressed["Vary"] == "Accept-Encoding")
            #expect(compressed["Content-Type"] == "text/javascript; charset=utf-8")
            let file = try #require(PlaygroundFile.all.first { $0.path == "main.js" })
            #expect(compressed["Content-Length"] == file.gzip.map { "\($0.bytes.count)" })
            let compressedTag = try #require(compressed["ETag"])
            #expect(compressedTag != tag)
            let known = [("If-None-Match", compressedTag)]
            #expect(try await server.send("GET", "/playground/main.js", encoded + known).status == 304)
            #expect(try await server.send("GET", "/playground/main.js", known).status == 200)
            let style = try await server.send("GET", "/playground/style/theme.css")
            #expect(style["Content-Type"] == "text/css; charset=utf-8")
            #expect(try await server.send("GET", "/playground/types.d.ts").status == 404)
            #expect(try await server.send("GET", "/playground/../README.md").status == 404)
        }
    }

    @Test func aDescriptionIsServedAsItIs() async throws {
        try await TestServer.run {
            $0.playgroundDescription = #"{"title": "Test"}"#
        } _: { (server) async throws in
            let description = try await server.send("GET", "/playground/description.json")
            #expect(description["Content-Type"] == "application/json; charset=utf-8")
            #expect(description.body == #"{"title": "Test"}"#)
        }
    }

    @Test func runsNothingButItsOwnFiles() {
        let page = String(decoding: PlaygroundFile.page.identity.bytes, as: UTF8.self)
        #expect(!PlaygroundPage.contentSecurityPolicy.contains("unsafe"))
        #expect(!page.contains(" style=\""))
        #expect(!page.contains("<style"))
        #expect(!page.contains(" onclick="))
        #expect(page.ranges(of: "<script").count == page.ranges(of: "<script type=\"module\" src=\"/playground/").count)
    }

    @Test func asksNobodyElse() {
        let own = ["http://www.w3.org/2000/svg"]
        for file in PlaygroundFile.all {
            let text = String(decoding: file.identity.bytes, as: UTF8.self)
            for start in text.ranges(of: "://").map(\.lowerBound) where text[..<start].hasSuffix("http") {
                #expect(own.contains { ("http" + text[start...]).hasPrefix($0) }, "\(file.path)")
            }
        }
    }

    /// A first load asks for every file. The limit is for what is sent; the sources have comments and long names.
    @Test func allFilesTogetherAreSentInLessThan200KB() throws {
        var sent = 0
        for file in PlaygroundFile.all {
            let gzip = try #require(file.gzip, "\(file.path)")
            // RFC 1952, 2.3.1: the magic number, and the size of the text in the last four bytes.
            #expect(gzip.bytes.starts(with: [0x1f, 0x8b]), "\(file.path)")
            let size = gzip.bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            #expect(size == file.identity.bytes.count, "\(file.path)")
            sent += gzip.bytes.count
        }
        #expect(sent < 200_000)
    }

    @Test(arguments: [
        ("gzip", true), ("x-gzip", true), ("GZIP ; q=0.1", true), ("*", true), ("br, *;q=0.5", true), ("", false),
        ("br", false), ("gzip;q=0", false), ("gzip;q=0, *", false), ("*;q=0", false), ("identity", false),
    ])
    func gzipIsSentToThoseThatTakeIt(_ header: String, _ takes: Bool) {
        #expect(AcceptedEncodings.takeGzip(header) == takes)
    }
}
