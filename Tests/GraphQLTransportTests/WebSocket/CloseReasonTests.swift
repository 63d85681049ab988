import GraphQL
import Testing

@testable import GraphQLTransport

struct CloseReasonTests {
    @Test func fitsIntoAControlFrame() {
        #expect(CloseReason(4400, "short").text == "short")
        #expect(CloseReason.subscriberAlreadyExists(String(repeating: "x", count: 500)).text.utf8.count == 123)
        let cut = CloseReason(4400, "x" + String(repeating: "é", count: 100)).text
        #expect(cut == "x" + String(repeating: "é", count: 61))
        let wide = CloseReason(4400, String(repeating: "🐦", count: 100)).text
        #expect(wide == String(repeating: "🐦", count: 30))
    }

    @Test(arguments: [
        ("UNAUTHENTICATED", 4403), ("FORBIDDEN", 4403), ("UNAVAILABLE", 1013), ("TIMEOUT", 1013),
        ("RATE_LIMITED", 1013),
        ("INTERNAL_SERVER_ERROR", 4500),
    ])
    func followsFromWhyAConnectionIsRefused(_ code: String, _ expected: Int) {
        #expect(CloseReason(refusing: [GraphQLError("", code: ErrorCode(rawValue: code))]).code == UInt16(expected))
    }
}
