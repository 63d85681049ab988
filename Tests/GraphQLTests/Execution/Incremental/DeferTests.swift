import GraphQL
import Testing

/// Spec: incremental delivery, 3.13 @defer
@Suite struct DeferTests {
    private func parts(_ text: String, variables: [String: InputValue] = [:]) async throws -> [String] {
        try await IncrementalFixture.parts(text, variables: variables)
    }

    @Test(arguments: ["... @defer { name }", "... on Hero @defer { name }", "...F @defer"])
    func fragmentsOfAllKinds(_ fragment: String) async throws {
        let definition = fragment.hasPrefix("...F") ? " fragment F on Hero { name }" : ""
        #expect(
            try await parts("{ hero { id \(fragment) } }" + definition) == [
                #"{"data":{"hero":{"id":"1"}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"name":"name 1"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test func tellsTheLabel() async throws {
        let text = #"{ hero { ... @defer(label: "later") { name } ... @defer(label: null) { id } } }"#
        #expect(
            try await parts(text)[0]
                == #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"],"label":"later"},"#
                + #"{"id":"1","path":["hero"]}],"hasNext":true}"#)
    }

    @Test(arguments: [(InputValue.boolean(false), 1), (.boolean(true), 2), (nil, 2)] as [(InputValue?, Int)])
    func holdsWhereItsConditionDoes(_ value: InputValue?, _ count: Int) async throws {
        let text = "query ($later: Boolean) { hero { id ... @defer(if: $later) { name } } }"
        let parts = try await parts(text, variables: value.map { ["later": $0] } ?? [:])
        #expect(parts.count == count)
        if count == 1 { #expect(parts == [#"{"data":{"hero":{"id":"1","name":"name 1"}}}"#]) }
        #expect(try await self.parts("{ hero { ... @defer(if: false) { id } } }") == [#"{"data":{"hero":{"id":"1"}}}"#])
    }

    @Test func aClientThatDoesNotAskGetsOneAnswer() async throws {
        let text = "{ hero { id ... @defer { name slowName } friends @stream { id } } }"
        #expect(
            try await IncrementalFixture.parts(text, format: nil) == [
                #"{"data":{"hero":{"id":"1","name":"name 1","slowName":"slow 1","#
                    + #""friends":[{"id":"2"},{"id":"3"},{"id":"4"}]}}}"#
            ])
    }

    @Test func atTheRoot() async throws {
        #expect(
            try await parts(#"{ ... @defer(label: "q") { hero { fails } } }"#) == [
                #"{"data":{},"pending":[{"id":"0","path":[],"label":"q"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"hero":{"fails":null}},"errors":["#
                    + failure(#""hero","fails""#, 1, 35) + #"]}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test func aFragmentInADeferredFragment() async throws {
        let text = "{ hero { ... @defer { id ... @defer { friends { name } } } } }"
        #expect(
            try await parts(text) == [
                #"{"data":{"hero":{}},"pending":[{"id":"0","path":["hero"]}],"hasNext":true}"#,
                #"{"pending":[{"id":"1","path":["hero"]}],"incremental":[{"id":"0","data":{"id":"1"}},"#
                    + #"{"id":"1","data":{"friends":[{"name":"name 2"},{"name":"name 3"},{"name":"name 4"}]}}],"#
                    + #""completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
    }

    @Test func aFragmentForEachItemOfAList() async throws {
        let text = "{ hero { friends { id ... @defer { name slowName } } } }"
        let context = TestContext()
        #expect(
            try await IncrementalFixture.parts(text, context: context) == [
                #"{"data":{"hero":{"friends":[{"id":"2"},{"id":"3"},{"id":"4"}]}},"pending":["#
                    + #"{"id":"0","path":["hero","friends",0]},{"id":"1","path":["hero","friends",1]},"#
                    + #"{"id":"2","path":["hero","friends",2]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"name":"name 2","slowName":"slow 2"}},"#
                    + #"{"id":"1","data":{"name":"name 3","slowName":"slow 3"}},"#
                    + #"{"id":"2","data":{"name":"name 4","slowName":"slow 4"}}],"#
                    + #""completed":[{"id":"0"},{"id":"1"},{"id":"2"}],"hasNext":false}"#,
            ])
        // One call for all items, and only when the client knows that it has to wait.
        #expect(context.log.calls == ["part 0", "slowName of 3", "part 1"])
    }

    @Test func whatIsReadyDoesNotWait() async throws {
        let text = """
            { hero { ... @defer(label: "slow") { slowName } ... @defer(label: "fast") { name } } }
            """
        #expect(
            try await parts(text)[1...] == [
                #"{"incremental":[{"id":"1","data":{"name":"name 1"}}],"completed":[{"id":"1"}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"slowName":"slow 1"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test func mutationsDeferBelowTheirFields() async throws {
        #expect(
            try await parts("mutation { rename { id ... @defer { name } } }") == [
                #"{"data":{"rename":{"id":"1"}},"pending":[{"id":"0","path":["rename"]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"name":"name 1"}}],"completed":[{"id":"0"}],"hasNext":false}"#,
            ])
    }

    @Test func subscriptionsDeferNothing() async throws {
        let text = "subscription ($later: Boolean) { renamed { id ... @defer(if: $later) { name } } }"
        let error = await #expect(throws: RequestError.self) {
            try await parts(text, variables: ["later": .boolean(true)])
        }
        #expect(
            error?.errors[0].message == "@defer is not supported on subscriptions; disable it by its argument \"if\".")
        let prepared = try PreparedOperation(
            parse(Source(text)), operationName: nil, schema: IncrementalFixture.schema())
        let variables = ["later": InputValue.boolean(false)]
        _ = try prepared.plan(for: prepared.mask(for: variables), format: .current)
    }

    @Test func stopsWhereTheClientIsGone() async throws {
        let text = "{ hero { ... @defer { slowName ... @defer { name } } } }"
        let prepared = try PreparedOperation(
            parse(Source(text)), operationName: nil, schema: IncrementalFixture.schema())
        let context = TestContext()
        let plan = try prepared.plan(for: prepared.mask(for: [:]), format: .current)
        var count = 0
        try await executeIncrementally(plan, variables: [:], context: context) { _, _ in
            count += 1
            return false
        }
        #expect(count == 1)
        #expect(context.log.calls == [])
    }

    @Test func fragmentsThatMultiplyAreRefused() throws {
        let fragments = (0..<30).map { level in
            let next = level < 29 ? "...F\(level + 1) @defer ...F\(level + 1) @defer" : "id"
            return "fragment F\(level) on Hero { \(next) }"
        }
        let text = "{ hero { ...F0 @defer } } \(fragments.joined(separator: "\n"))"
        let prepared = try PreparedOperation(
            parse(Source(text)), operationName: nil, schema: IncrementalFixture.schema())
        let error = #expect(throws: RequestError.self) {
            try prepared.plan(for: prepared.mask(for: [:]), format: .current)
        }
        #expect(error?.errors[0].message == "The operation defers too much to be planned.")
        _ = try prepared.plan(for: prepared.mask(for: [:]))
    }
}
