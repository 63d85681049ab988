import Testing

@testable import GraphQL

/// Spec: 6.4.4 Handling Execution Errors. Random schemas in `RandomExecutionTests` cover what these do not.
@Suite struct NullPropagationTests {
    private struct Branch: ObjectValue {}

    /// One field `value` of the given type and Swift value, below `branch`, which is nullable or not.
    private func response<Output: FieldOutput>(
        _ type: String, branch: String = "Branch", _ value: @escaping @Sendable () throws -> Output
    ) async throws -> Response {
        let sdl = "type Query { branch: \(branch) before: Int } type Branch { first: Int value: \(type) }"
        let bindings: [any TypeBinding<TestContext>] = [
            ObjectBinding<Root, TestContext>("Query") { query in
                query.field("branch") { _ in Branch() }
                query.field("before") { _ in 1 }
            },
            ObjectBinding<Branch, TestContext>("Branch") { branch in
                branch.field("first") { _ in 1 }
                branch.field("value") { _ throws -> Output in try value() }
            },
        ]
        let schema = try ExecutableSchema(schema: buildSchema(parse(Source(sdl))), bindings: bindings)
        let document = try parse(Source("{ before branch { first\n value } }"))
        let prepared = try PreparedOperation(document, operationName: nil, schema: schema)
        return try await execute(
            prepared.plan(for: prepared.mask(for: [:])), variables: [:], context: TestContext())
    }

    private static let error =
        #""errors":[{"message":"No.","locations":[{"line":2,"column":2}],"path":["branch","value"],"#
        + #""extensions":{"code":"BAD_USER_INPUT"}}]"#

    private static let refusal = ExecutionError("No.", code: .badUserInput)

    private func text(_ response: Response) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func aNullableFieldTakesItsError() async throws {
        let response = try await response("Int") { () throws -> Int? in throw Self.refusal }
        #expect(text(response) == #"{"data":{"before":1,"branch":{"first":1,"value":null}},"# + Self.error + "}")
    }

    @Test func aNonNullFieldPassesItToItsParent() async throws {
        let response = try await response("Int!") { () throws -> Int in throw Self.refusal }
        #expect(text(response) == #"{"data":{"before":1,"branch":null},"# + Self.error + "}")
    }

    @Test func nonNullAllTheWayLeavesNoData() async throws {
        let response = try await response("Int!", branch: "Branch!") { () throws -> Int in throw Self.refusal }
        #expect(text(response) == #"{"data":null,"# + Self.error + "}")
        #expect(!response.hasData)
    }

    @Test func leafsThatCannotBeWrittenAreMaskedErrors() async throws {
        let tooLarge = try await response("Int") { Int.max }
        #expect(text(tooLarge).hasPrefix(#"{"data":{"before":1,"branch":{"first":1,"value":null}},"#))
        #expect(tooLarge.errors.map(\.message) == ["Something went wrong."])
        let notFinite = try await response("Float!") { Double.nan }
        #expect(text(notFinite).hasPrefix(#"{"data":{"before":1,"branch":null},"#))
    }

    @Test(arguments: [
        ("[Int!]!", "null"), ("[Int]!", #"{"first":1,"value":[1,null,3]}"#), ("[Int!]", #"{"first":1,"value":null}"#),
    ])
    func itemsOfListsFailAlone(type: String, branch: String) async throws {
        let response = try await response(type) { [1, Int.max, 3] }
        #expect(text(response).hasPrefix(#"{"data":{"before":1,"branch":"# + branch + "}"))
        #expect(response.errors.map(\.path) == [[.key("branch"), .key("value"), .index(1)]])
    }

    @Test(arguments: [
        ("[[Int]]", "[[1,null],[2]]"), ("[[Int!]]", "[null,[2]]"), ("[[Int!]!]", "null"),
    ])
    func listsOfLists(type: String, value: String) async throws {
        let response = try await response(type) { [[1, Int.max], [2]] }
        #expect(text(response).hasPrefix(#"{"data":{"before":1,"branch":{"first":1,"value":"# + value + "}}"))
        #expect(response.errors.map(\.path) == [[.key("branch"), .key("value"), .index(0), .index(1)]])
    }
}
