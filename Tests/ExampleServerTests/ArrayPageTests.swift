import GraphQL
import Testing

@testable import example_server

/// Source: GraphQL Cursor Connections Specification, section 4
struct ArrayPageTests {
    private func page(_ arguments: (name: String, value: InputValue)...) throws -> (Range<Int>, PageInfo) {
        try ArrayPage(InputObject(arguments)).window(of: 0..<5)
    }

    @Test func firstAndAfterCutFromTheFront() throws {
        let (offsets, pageInfo) = try page(("first", .int(2)), ("after", .string(ArrayPage.cursor(0))))
        #expect(offsets == 1..<3)
        #expect(pageInfo.hasNextPage && !pageInfo.hasPreviousPage)
        #expect(pageInfo.startCursor == ArrayPage.cursor(1) && pageInfo.endCursor == ArrayPage.cursor(2))
    }

    @Test func lastAndBeforeCutFromTheEnd() throws {
        let (offsets, pageInfo) = try page(("last", .int(2)), ("before", .string(ArrayPage.cursor(4))))
        #expect(offsets == 2..<4)
        #expect(!pageInfo.hasNextPage && pageInfo.hasPreviousPage)
    }

    @Test func whatIsNoCursorOfTheArrayIsNoBound() throws {
        for text in ["InvalidBase64", "", ArrayPage.cursor(-1), ArrayPage.cursor(5), "////"] {
            #expect(try page(("after", .string(text)), ("before", .string(text))).0 == 0..<5)
        }
    }

    @Test func boundsThatCrossLeaveNothing() throws {
        let (offsets, pageInfo) = try page(
            ("after", .string(ArrayPage.cursor(4))), ("before", .string(ArrayPage.cursor(2))))
        #expect(offsets.isEmpty && pageInfo.startCursor == nil && pageInfo.endCursor == nil)
    }

    @Test func negativeCountsAreRefused() {
        #expect(throws: ExecutionError.self) { try page(("first", .int(-1))) }
        #expect(throws: ExecutionError.self) { try page(("last", .int(-1))) }
    }
}
