import GraphQL
import Testing

@Suite struct ExecuteTests {
    @Test func writesLeafsInSelectionOrder() async throws {
        let response = try await Fixture.execute(
            #"{ thought(id: "t3") { text id kind: __typename category title tags } }"#)
        #expect(
            response == #"{"data":{"thought":{"text":"text 3","id":"t3","kind":"Thought","category":"FUNNY","#
                + #""title":"title 3","tags":["tag 0","tag 1","tag 2"]}}}"#)
    }

    @Test func answersAtOnceWhatWaitsForNothing() async throws {
        let text = "{ kind: __typename __schema { queryType { name } } __type(name: \"User\") { fields { name } } }"
        let response = try executeWithoutWaiting(Fixture.plan(text), variables: [:], context: TestContext())
        #expect(try await response.map { String(decoding: $0.body, as: UTF8.self) } == Fixture.execute(text))
    }

    @Test(arguments: ["{ feed { author { name } } }", "mutation { addNow(amount: 1) }", "subscription { refused }"])
    func executesNothingOfWhatWaits(_ text: String) throws {
        let context = TestContext()
        #expect(try executeWithoutWaiting(Fixture.plan(text), variables: [:], context: context) == nil)
        #expect(context.log.calls.isEmpty && context.counter.calls.isEmpty)
    }

    @Test func writesNulls() async throws {
        #expect(try await Fixture.execute(#"{ thought(id: "t") { id } }"#) == #"{"data":{"thought":null}}"#)
        #expect(
            try await Fixture.execute(#"{ thought(id: "t2") { title } }"#) == #"{"data":{"thought":{"title":null}}}"#)
    }

    @Test func takesArgumentsFromLiteralsVariablesAndDefaults() async throws {
        #expect(try await Fixture.execute("{ thoughts { id } }") == #"{"data":{"thoughts":[{"id":"t1"},{"id":"t2"}]}}"#)
        #expect(
            try await Fixture.execute("query ($n: Int) { thoughts(first: $n) { id } }", variables: ["n": .int(1)])
                == #"{"data":{"thoughts":[{"id":"t1"}]}}"#)
    }

    @Test func splitsInterfacesByConcreteType() async throws {
        let context = TestContext()
        let response = try await Fixture.execute(
            """
            { feed { id ... on Thought { text } ...Named author { name } } }
            fragment Named on Event { __typename name }
            """, context: context)
        #expect(
            response == #"{"data":{"feed":[{"id":"t1","text":"text 1","author":{"name":"user 10"}},"#
                + #"{"id":"e2","__typename":"Event","name":"event 2","author":{"name":"user 200"}},"#
                + #"{"id":"t3","text":"text 3","author":{"name":"user 30"}}]}}"#)
        #expect(
            context.log.calls == [
                "feed", "author of 2 thoughts", "author of 1 events", "awaited authors", "awaited event authors",
            ])
    }

    @Test func splitsUnionsWithNulls() async throws {
        #expect(
            try await Fixture.execute("{ search { __typename ... on FeedItem { id } } }")
                == #"{"data":{"search":[{"__typename":"User"},null,{"__typename":"Event","id":"e2"},"#
                + #"{"__typename":"Thought","id":"t1"}]}}"#)
        #expect(
            try await Fixture.execute("{ search { ... on Event { name } } }")
                == #"{"data":{"search":[{},null,{"name":"event 2"},{}]}}"#)
    }

    @Test func mergesFieldsOfOneResponseName() async throws {
        let response = try await Fixture.execute(
            """
            { thought(id: "t1") { author { id } text ...More author { best { id } } } }
            fragment More on Thought { author { name best { text } } }
            """)
        #expect(
            response == #"{"data":{"thought":{"author":{"id":"u10","name":"user 10","best":{"text":"text 1","#
                + #""id":"t1"}},"text":"text 1"}}}"#)
    }

    @Test func callsAResolverOnceALevel() async throws {
        let context = TestContext()
        _ = try await Fixture.respond(
            "{ thoughts(first: 5) { likers { friends { best { id } } } } }", context: context)
        #expect(
            context.log.calls == [
                "likers flat of 5 thoughts", "awaited likers", "friends of 15", "best of 15",
            ])
    }

    @Test func startsAllLoadsOfALevelBeforeAwaitingOne() async throws {
        let context = TestContext()
        _ = try await Fixture.respond(
            "{ thoughts { author { id } likers { id } again: author { id } } }", context: context)
        #expect(
            context.log.calls == [
                "author of 2 thoughts", "likers flat of 2 thoughts", "author of 2 thoughts",
                "awaited authors", "awaited likers", "awaited authors",
            ])
    }

    @Test func looksAheadThroughFragmentsAndMergedFields() async throws {
        let context = TestContext()
        _ = try await Fixture.respond(
            "{ thoughts { likers { best { id } ... on User { best { ... { author { ...N } } } } } } } fragment N on User { a: name }",
            context: context)
        #expect(context.log.calls.first == "likers deep of 2 thoughts")
    }

    @Test func callsNothingForEmptyLevels() async throws {
        let context = TestContext()
        let response = try await Fixture.execute(#"{ thought(id: "t0") { likers { best { id } } } }"#, context: context)
        #expect(response == #"{"data":{"thought":{"likers":[]}}}"#)
        #expect(context.log.calls == ["likers flat of 1 thoughts", "awaited likers"])
    }

    @Test func executesMutationFieldsOneAfterAnother() async throws {
        let context = TestContext()
        let response = try await Fixture.execute(
            "mutation { a: add(amount: 1) { value later } b: addNow(amount: 2) c: add(amount: 4) { later value } }",
            context: context)
        #expect(
            response == #"{"data":{"a":{"value":1,"later":1},"b":3,"c":{"later":7,"value":7}}}"#)
        #expect(context.log.calls == ["add 1", "later 1", "addNow 2", "add 4", "later 7"])
    }

    @Test func reportsNoMoreThanFiftyErrors() async throws {
        let aliases = (0..<60).map { "a\($0): fails" }.joined(separator: " ")
        let response = try await Fixture.respond("{ \(aliases) }")
        #expect(response.errors.count == 50)
        #expect(response.hasData)
    }

    @Test func stopsBetweenRoundsWhenCancelled() async throws {
        let context = TestContext()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Fixture.respond("{ feed { author { best { id } } } }", context: context)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(context.log.calls == [])
    }
}
