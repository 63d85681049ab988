import Cryptography
import HTTPTypes
import Testing

@testable import App
@testable import tertulia

/// What the route makes of a request's headers.
@Suite struct ImageResponseTests {
    private let file = ImageFile(digest: SHA256.digest(of: "x"), mimeType: "image/png", byteSize: 100, validity: nil)

    private func response(_ headers: HTTPFields = [:]) -> ImageRoute.ImageResponse { .init(file, .get, headers) }

    @Test func allOfItIsForEverCacheable() {
        let response = response()
        #expect(response.status == .ok)
        #expect(response.range == 0..<100)
        #expect(response.headers[.contentType] == "image/png")
        #expect(response.headers[.eTag] == file.entityTag)
        #expect(response.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(response.headers[.acceptRanges] == "bytes")
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        #expect(response.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
    }

    @Test func aSignedOneIsNoSharedCaches() {
        let signed = ImageFile(digest: file.digest, mimeType: "image/png", byteSize: 100, validity: 3601)
        #expect(ImageRoute.ImageResponse(signed, .get, [:]).headers[.cacheControl] == "private, max-age=3601")
    }

    @Test func partsAreGiven() {
        let part = response([.range: "bytes=10-19"])
        #expect(part.status == .partialContent)
        #expect(part.range == 10..<20)
        #expect(part.headers[.contentRange] == "bytes 10-19/100")
        let beyond = response([.range: "bytes=100-"])
        #expect(beyond.status == .rangeNotSatisfiable)
        #expect(beyond.range == nil)
        #expect(beyond.headers[.contentRange] == "bytes */100")
        #expect(beyond.headers[.cacheControl] == nil)
        #expect(response([.range: "bytes=0-1,5-6"]).status == .ok)
        #expect(ImageRoute.ImageResponse(file, .head, [.range: "bytes=10-19"]).status == .ok)
    }

    @Test func whatTheClientHasIsNotSentAgain() {
        for tag in [file.entityTag, "W/\(file.entityTag)", "\"a\", \(file.entityTag)", "*"] {
            let response = response([.ifNoneMatch: tag, .range: "bytes=0-1"])
            #expect(response.status == .notModified)
            #expect(response.range == nil)
            #expect(response.headers[.eTag] == file.entityTag)
            #expect(response.headers[.contentType] == nil)
        }
        #expect(response([.ifNoneMatch: "\"a\""]).status == .ok)
    }

    @Test func aPartOfAnotherVersionIsNotGiven() {
        #expect(response([.range: "bytes=0-1", .ifRange: file.entityTag]).status == .partialContent)
        for validator in ["\"a\"", "W/\(file.entityTag)", "Sat, 21 Nov 2026 06:00:00 GMT"] {
            #expect(response([.range: "bytes=0-1", .ifRange: validator]).status == .ok)
        }
    }
}
