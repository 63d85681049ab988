import GraphQL
import GraphQLTransport
import Synchronization

/// A schema with what a transport has to tell apart: values, waiting, failures, arguments, a mutation.
enum TestSchema {
    static let definitions = """
        "What can be asked."
        type Query {
          hello(name: String = "world"): String!
          echo(value: Int!): Int!
          "Answers once the gate of that name is open."
          gated(gate: String!): String!
          "A text of so many bytes."
          large(bytes: Int!): String!
          words: [String!]!
          secret: String
          "Refused for so many seconds."
          limited(seconds: Int!): String
          "A queue has no room for it."
          crowded: String
          broken: String
          requestId: String!
          viewer: String
          old: Color @deprecated(reason: "Use hello.")
          book(id: ID!, order: [Order!]): Book
        }
        scalar Upload
        type File { filename: String! contentType: String text: String! }
        input Attachment { file: Upload! note: String }
        enum Color { RED GREEN }
        input Order { by: Color! = RED descending: Boolean = false }
        type Page { number: Int! text: String! "Of the second page it cannot be read." late: String }
        type Book { id: ID! title: String! next: Book }
        type Mutation {
          touch: Int!
          "Who entered: nobody, or the viewer."
          enter(keeps: Boolean! = false): String!
          upload(file: Upload, files: [Upload!], attachment: Attachment): [File!]!
        }
        type Subscription {
          ticks: Int!
          greetings: String!
          "From 1, and then nothing."
          pages(count: Int!, bytes: Int! = 0, rests: Boolean! = true): Page!
          "Down to 1."
          countdown(from: Int!): Int!
          "Nothing ever happens."
          silence: Int!
          "Texts of so many bytes without end."
          flood(bytes: Int!): String!
          "One event, and then its source breaks."
          breaks: Int!
          "There is no source."
          refused: Int!
          viewerName: String
          "Hello, and goodbye when the session ends; after which it ends, or does not."
          farewell(staysOn: Boolean! = false): String!
          "What is posted there from now on."
          board(name: String!): Post!
        }
        type Post { text: String! }
        """

    static func make() throws -> ExecutableSchema<TestContext> {
        try ExecutableSchema(
            schema: buildSchema(parse(Source(definitions)), scalars: ["Upload": .upload]),
            bindings: [
                ObjectBinding<Root, TestContext>("Query", bindQuery),
                ObjectBinding<Root, TestContext>("Mutation") { mutation in
                    mutation.field("touch") { _ in 1 }
                    mutation.field("enter") { _, context in context.viewer ?? "nobody" }
                    mutation.field("upload") { _, context in try uploads(context.arguments) }
                },
                ObjectBinding<Upload, TestContext>("File") { file in
                    file.field("filename", \.filename)
                    file.field("contentType", \.contentType)
                    file.field("text") { String(decoding: $0.bytes, as: UTF8.self) }
                },
                ObjectBinding<Root, TestContext>("Subscription", bindSubscription),
                ObjectBinding<Board.Post, TestContext>("Post") { post in post.field("text", \.text) },
                ObjectBinding<Page, TestContext>("Page") { page in
                    page.field("number", \.number)
                    page.field("text", \.text)
                    page.field("late") { (page: Page) throws -> String? in
                        if page.number == 2 { throw ExecutionError("Later.", code: ErrorCode(rawValue: "UNAVAILABLE")) }
                        return "read"
                    }
                },
                ObjectBinding<Book, TestContext>("Book") { book in
                    book.field("id", \.id)
                    book.field("title") { "Book \($0.id)" }
                    book.field("next") { Book(id: $0.id + "+") }
                },
            ])
    }

    private static func bindQuery(_ query: inout ObjectFields<Root, TestContext>) {
        query.field("hello") { _, context in "Hello \(context.arguments["name"].text ?? "nobody")" }
        query.field("echo") { _, context in context.arguments["value"].integer ?? 0 }
        query.batch("gated") { roots, context in
            try await Gate.named(context.arguments["gate"].text ?? "").pass()
            return roots.map { _ in "passed" }
        }
        query.field("large") { _, context in
            String(repeating: "x", count: context.arguments["bytes"].integer ?? 0)
        }
        query.field("words") { _ in ["apple", "banana", "cherry"] }
        query.field("secret") { (_: Root) throws -> String? in
            throw ExecutionError("Not for you.", code: ErrorCode(rawValue: "FORBIDDEN"))
        }
        query.field("limited") { (_: Root, context) throws -> String? in
            throw ExecutionError(
                "Wait.", code: ErrorCode(rawValue: "RATE_LIMITED"),
                extensions: [(name: "retryAfter", value: .int(context.arguments["seconds"].integer ?? 0))])
        }
        query.batch("crowded") { (_: [Root], _) async throws -> [String?] in
            await Task.yield()
            throw ExecutionError("Full.", code: .overloaded, extensions: [(name: "retryAfter", value: .int(3))])
        }
        query.field("broken") { (_: Root) throws -> String? in throw Broken() }
        query.field("requestId") { _, context in context.requestID }
        query.field("viewer") { _, context in context.viewer }
        query.field("old") { (_: Root) -> Color? in .red }
        query.field("book") { (_, context) -> Book? in Book(id: context.arguments["id"].text ?? "") }
    }
}

extension Upload: ObjectValue {}

private func uploads(_ arguments: InputObject) throws -> [Upload] {
    let file: Upload? = try arguments.decode("file")
    let files: [Upload]? = try arguments.decode("files")
    let attachment: InputObject? = try arguments.decode("attachment")
    let attached: Upload? = try attachment?.decode("file")
    return [file, attached].compactMap { $0 } + (files ?? [])
}

struct TestContext: SessionContext {
    private static let ended = Mutex<Set<String>>([])

    var viewer: String?
    var requestID = ""

    var sessionID: String? { viewer }
    var hasSessionEnded: Bool { viewer.map { viewer in Self.ended.withLock { $0.contains(viewer) } } ?? false }
    static func endSession(of viewer: String) { ended.withLock { _ = $0.insert(viewer) } }

    func executionError(for error: any Error) -> ExecutionError {
        ExecutionError("Something went wrong.", code: .internalServerError)
    }

    /// The token is the viewer's name; "expired" is refused, "ended" is of a session that has ended, "crash" shows how a
    /// bug is masked.
    static func authenticate(_ head: RequestHead) async throws -> TestContext { try authenticateSynchronously(head) }

    static func authenticateSynchronously(_ head: RequestHead) throws -> TestContext {
        switch head.authorization {
        case nil: return TestContext(viewer: nil, requestID: head.requestID.description)
        case "Bearer expired":
            throw GraphQLError("The session has ended.", code: ErrorCode(rawValue: "UNAUTHENTICATED"))
        case "Bearer ended":
            throw EndedSession(
                context: TestContext(viewer: nil, requestID: head.requestID.description),
                error: ExecutionError("The session has ended.", code: .unauthenticated))
        case "Bearer crash": throw Broken()
        case "Bearer malformed": throw GraphQLError("Malformed.", code: ErrorCode.badRequest)
        case "Bearer overloaded": throw GraphQLError("Later.", code: ErrorCode(rawValue: "UNAVAILABLE"))
        case .some(let token) where !token.hasPrefix("Bearer "):
            throw GraphQLError("No token.", code: ErrorCode(rawValue: "UNAUTHENTICATED"))
        case .some(let token):
            return TestContext(viewer: String(token.dropFirst(7)), requestID: head.requestID.description)
        }
    }
}

struct Book: ObjectValue { var id: String }
enum Color: String, LeafValue { case red = "RED" }
struct Broken: Error, CustomStringConvertible { var description: String { "password=hunter2" } }

extension InputValue? {
    var text: String? { if case .string(let text) = self { text } else { nil } }
    var integer: Int? { if case .int(let number) = self { number } else { nil } }
}
