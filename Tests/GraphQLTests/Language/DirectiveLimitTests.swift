import Testing

@testable import GraphQL

@Suite struct DirectiveLimitTests {
    private func error(_ document: String, maximum: Int? = 4) -> GraphQLError? {
        do {
            _ = try parse(Source(document), options: ParserOptions(maxDirectives: maximum))
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        "query @D { a }", "{ a @D }", "{ ... @D { a } }", "{ ...F @D } fragment F on Q { a }",
        "{ ...F } fragment F on Q @D { a }", "query($a: Int @D) { a }",
    ])
    func everyLocationIsBounded(_ document: String) throws {
        func with(_ count: Int) -> String {
            document.replacing("@D", with: (0..<count).map { "@d\($0)" }.joined(separator: " "))
        }
        #expect(error(with(4)) == nil)
        #expect(error(with(200), maximum: nil) == nil)
        let tooMany = try #require(error(with(200)))
        #expect(tooMany.extensions["code"] == .string("QUERY_TOO_COMPLEX"))
        #expect(tooMany.extensions["limit"] == .string("directives"))
        #expect(tooMany.extensions["maximum"] == .int(4))
        #expect(tooMany.extensions["actual"] == .int(200))
    }
}
