import GraphQL
import Testing

@testable import GraphQLTransport

struct RefusalStatusTests {
    @Test(arguments: [
        ("BAD_USER_INPUT", 400), ("UNAUTHENTICATED", 401), ("FORBIDDEN", 403), ("RATE_LIMITED", 429), ("TIMEOUT", 503),
        ("UNAVAILABLE", 503), ("INTERNAL_SERVER_ERROR", 500), ("SOMETHING_NEW", 400),
    ])
    func followsFromTheCode(_ code: String, _ status: Int) {
        #expect(RefusalStatus([GraphQLError("", code: ErrorCode(rawValue: code))]).status.code == status)
    }

    @Test func tellsWhenToComeBack() {
        let error = GraphQLError(
            "",
            extensions: InputObject([
                (name: "code", value: .string("RATE_LIMITED")), (name: "retryAfter", value: .float(1.2)),
            ]))
        #expect(RefusalStatus([error]).headers.first?.value == "2")
    }
}
