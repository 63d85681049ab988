import GraphQL
import GraphQLTransport
import Logging
import ServiceLifecycle

struct Book: ObjectValue {
    var title: String
    var pages: Int
}

struct Context: ExecutionContext {
    var shelf = [Book(title: "Dune", pages: 612), Book(title: "Emma", pages: 474)]

    func executionError(for error: any Error) -> ExecutionError {
        ExecutionError("Something went wrong.", code: .internalServerError)
    }
}

@main
enum Hello {
    static func main() async throws {
        let definitions = """
            type Query { books(longerThan: Int! = 0): [Book!]! }
            type Book { title: String!, pages: Int! }
            """
        let schema = try ExecutableSchema(
            schema: buildSchema(parse(Source(definitions))),
            bindings: [
                ObjectBinding<Root, Context>("Query") { query in
                    query.field("books") { _, context in
                        let pages: Int = try context.arguments.decode("longerThan")
                        return context.shelf.filter { $0.pages > pages }
                    }
                },
                ObjectBinding<Book, Context>("Book") { book in
                    book.field("title", \.title)
                    book.field("pages", \.pages)
                },
            ])
        var settings = ServerSettings()
        settings.port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        let logger = Logger(label: "hello")
        let server = GraphQLServer(schema: schema, settings: settings, logger: logger) { _ in Context() }
        try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm], logger: logger).run()
    }
}
