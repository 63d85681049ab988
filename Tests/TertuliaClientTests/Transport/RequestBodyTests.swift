import Foundation
import Testing

@testable import TertuliaClient

@Suite struct RequestBodyTests {
    @Test func withoutFilesItIsJSON() {
        let body = RequestBody(JSONObject([("query", .string("{ a }"))]), uploads: [])
        #expect(body.contentType == "application/json")
        #expect(String(decoding: body.bytes, as: UTF8.self) == #"{"query":"{ a }"}"#)
    }

    /// A name cannot end the header that it stands in.
    @Test func filesAreParts() throws {
        let file = UploadFile(name: "a\"\r\nX: y.png", contentType: "image/png", bytes: Array("bytes".utf8))
        let body = RequestBody(JSONObject(), uploads: [UploadPart(path: "variables.image", file: file)])
        let boundary = try #require(body.contentType.components(separatedBy: "boundary=").last)
        let text = String(decoding: body.bytes, as: UTF8.self)
        let parts = text.components(separatedBy: "--" + boundary)
        #expect(parts.count == 5)
        #expect(parts[2].contains(#"{"0":["variables.image"]}"#))
        #expect(parts[3].contains("filename=\"aX: y.png\"\r\nContent-Type: image/png\r\n\r\nbytes\r\n"))
        #expect(parts[4] == "--\r\n")
    }

    @Test func waitsGrowAndHaveALimit() {
        var backOff = BackOff()
        #expect(backOff.next() <= .milliseconds(250))
        for _ in 0..<20 { _ = backOff.next() }
        #expect(backOff.next() <= .seconds(30))
        #expect(backOff.next() >= .seconds(15))
        #expect(backOff.next(atLeast: 100) == .seconds(100))
        backOff.reset()
        #expect(backOff.next() <= .milliseconds(250))
    }

    /// A server, or a proxy before it, may ask for anything: `Retry-After: inf` is a `Double`, too.
    @Test func aWaitThatIsNoTimeHasALimit() {
        var backOff = BackOff()
        #expect(backOff.next(atLeast: .infinity) == .seconds(86_400))
        #expect(backOff.next(atLeast: 1e300) == .seconds(86_400))
        #expect(backOff.next(atLeast: .nan) <= .seconds(30))
        #expect(backOff.next(atLeast: -.infinity) <= .seconds(30))
    }
}
