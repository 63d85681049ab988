import Foundation
import Synchronization
import Testing

@testable import GraphQL

/// The samples of the article Sources/GraphQL/GraphQL.docc/HowAQueryBecomesBytes.md: each line of its code is a line of
/// this file.
@Suite struct ExecutionArticleTests {
    struct Post: ObjectValue {
        let id: Int
        let text: String
        let authorID: Int
    }

    struct Author: ObjectValue {
        let name: String
    }

    struct BlogContext: ExecutionContext {
        let blog: Blog

        func executionError(for error: any Error) -> ExecutionError {
            ExecutionError("Something went wrong.", code: .internalServerError)
        }
    }

    static let definitions = """
        type Query { posts: [Post]! }
        type Subscription { postAdded: Post! }
        type Post { text: String!  author: Author  replies: [Post!]! }
        type Author { name: String! }
        """

    static func blogSchema() throws -> ExecutableSchema<BlogContext> {
        let schema = try ExecutableSchema<BlogContext>(
            schema: buildSchema(parse(Source(definitions))),
            bindings: [
                ObjectBinding<Root, BlogContext>("Query") { query in
                    query.batch("posts") { _, context in [try await context.blog.newestPosts()] }
                },
                ObjectBinding<Root, BlogContext>("Subscription") { subscription in
                    subscription.stream("postAdded") { context in context.blog.addedPosts() }
                },
                ObjectBinding<Post, BlogContext>("Post") { post in
                    post.field("text", \.text)
                    post.load("author") { posts, context in context.blog.authors(posts.map(\.authorID)) }
                    post.batch("replies") { posts, context in try await context.blog.replies(to: posts.map(\.id)) }
                },
                ObjectBinding<Author, BlogContext>("Author") { author in
                    author.field("name", \.name)
                },
            ])
        return schema
    }

    /// Posts 1 and 2, with the replies 3 and 4 to the first; it logs the calls of its methods.
    final class Blog: Sendable {
        private let log = Mutex<[String]>([])
        private let isSecondLocked: Bool

        init(isSecondLocked: Bool = false) { self.isSecondLocked = isSecondLocked }

        var calls: [String] { log.withLock { $0 } }

        private func note(_ call: String) { log.withLock { $0.append(call) } }

        func newestPosts() async throws -> [Post] {
            note("newestPosts()")
            return [Post(id: 1, text: "One", authorID: 1), Post(id: 2, text: "Two", authorID: 2)]
        }

        func authors(_ ids: [Int]) -> Pending<[Author?]> {
            note("authors(\(ids))")
            return Pending(ids.map { $0 == 1 ? Author(name: "Ana") : $0 == 2 ? Author(name: "Ben") : nil })
        }

        func replies(to ids: [Int]) async throws -> [Result<[Post], any Error>] {
            note("replies(to: \(ids))")
            return ids.map { id in
                if id == 2, isSecondLocked {
                    return .failure(ExecutionError("The replies are locked.", code: ErrorCode(rawValue: "FORBIDDEN")))
                }
                let replies = [Post(id: 3, text: "Yes", authorID: 2), Post(id: 4, text: "No", authorID: 9)]
                return .success(id == 1 ? replies : [])
            }
        }

        func addedPosts() -> AsyncStream<Post> {
            AsyncStream { continuation in
                continuation.yield(Post(id: 5, text: "Five", authorID: 1))
                continuation.finish()
            }
        }
    }

    private func response(
        _ text: String, inputs: InputObject = InputObject(), context: BlogContext
    ) async throws -> String {
        let schema = try Self.blogSchema()
        let document = try parse(Source(text))
        let errors = validate(document, against: schema.schema)
        #expect(errors == [])
        let operation = try PreparedOperation(document, operationName: nil, schema: schema)
        let variables = try coerceVariableValues(
            schema.schema, operation.operation.variableDefinitions, inputs, source: document.source)
        let plan = try operation.plan(for: operation.mask(for: variables))
        let response = try await execute(plan, variables: variables, context: context)
        return String(decoding: response.body, as: UTF8.self)
    }

    @Test func aRoundResolvesALevelAtATime() async throws {
        let context = BlogContext(blog: Blog())
        let response = try await response(
            "{ posts { text author { name } replies { text author { name } } } }", context: context)
        #expect(
            context.blog.calls == [
                "newestPosts()",
                "authors([1, 2])",
                "replies(to: [1, 2])",
                "authors([2, 9])",
            ])
        #expect(
            response == #"{"data":{"posts":[{"text":"One","author":{"name":"Ana"},"replies":["#
                + #"{"text":"Yes","author":{"name":"Ben"}},{"text":"No","author":null}]},"#
                + #"{"text":"Two","author":{"name":"Ben"},"replies":[]}]}}"#)
    }

    @Test func anErrorPropagatesToTheNearestNullablePosition() async throws {
        let response = try await response(
            "{ posts { text replies { text } } }", context: BlogContext(blog: Blog(isSecondLocked: true)))
        #expect(
            response == #"{"data":{"posts":[{"text":"One","replies":[{"text":"Yes"},{"text":"No"}]},null]},"#
                + #""errors":[{"message":"The replies are locked.","locations":[{"line":1,"column":16}],"#
                + #""path":["posts",1,"replies"],"extensions":{"code":"FORBIDDEN"}}]}"#)
    }

    @Test func aDeferredFragmentComesLater() async throws {
        let schema = try Self.blogSchema()
        let context = BlogContext(blog: Blog())
        let document = try parse(Source("{ posts { text ... @defer { author { name } } } }"))
        let operation = try PreparedOperation(document, operationName: nil, schema: schema)
        var parts: [String] = []
        let plan = try operation.plan(for: operation.mask(for: [:]), format: .current)
        try await executeIncrementally(plan, variables: [:], context: context) { response, hasNext in
            parts.append(String(decoding: response.body, as: UTF8.self))
            return true
        }
        #expect(
            parts == [
                #"{"data":{"posts":[{"text":"One"},{"text":"Two"}]},"#
                    + #""pending":[{"id":"0","path":["posts",0]},{"id":"1","path":["posts",1]}],"hasNext":true}"#,
                #"{"incremental":[{"id":"0","data":{"author":{"name":"Ana"}}},{"id":"1","data":{"author":{"name":"Ben"}}}],"#
                    + #""completed":[{"id":"0"},{"id":"1"}],"hasNext":false}"#,
            ])
        #expect(context.blog.calls == ["newestPosts()", "authors([1, 2])"])
    }

    @Test func anEventBecomesAResponse() async throws {
        let schema = try Self.blogSchema()
        let context = BlogContext(blog: Blog())
        let document = try parse(Source("subscription { postAdded { text author { name } } }"))
        let operation = try PreparedOperation(document, operationName: nil, schema: schema)
        let plan = try operation.plan(for: operation.mask(for: [:]))
        var sent: [String] = []
        func send(_ body: [UInt8]) { sent.append(String(decoding: body, as: UTF8.self)) }
        switch try await subscribe(plan, variables: [:], context: context) {
        case .refused(let response): send(response.body)
        case .stream(let responses):
            for try await response in responses { send(response.body) }
        }
        #expect(sent == [#"{"data":{"postAdded":{"text":"Five","author":{"name":"Ana"}}}}"#])
    }

    @Test func theArticleHasTheseSamples() throws {
        let here = URL(fileURLWithPath: #filePath)
        let root = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let article = root.appendingPathComponent("Sources/GraphQL/GraphQL.docc/HowAQueryBecomesBytes.md")
        let samples = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "\n```")
        let source = try String(contentsOf: here, encoding: .utf8)
        var count = 0
        // Every second part is code, after a line with its language.
        for index in stride(from: 1, to: samples.count, by: 2) {
            for line in samples[index].components(separatedBy: "\n").dropFirst() {
                let line = line.trimmingCharacters(in: .whitespaces)
                if line.isEmpty { continue }
                let isHere = source.contains(line)
                #expect(isHere, "\(line)")
                count += 1
            }
        }
        #expect(count > 30)
    }
}
