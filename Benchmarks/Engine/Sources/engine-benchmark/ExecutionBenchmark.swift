import GraphQL

/// 1,000 objects of ten leafs, from objects to bytes.
struct ExecutionBenchmark {
    struct Context: ExecutionContext {
        let items: [Item]

        func executionError(for error: any Error) -> ExecutionError {
            ExecutionError("\(error)", code: .internalServerError)
        }
    }

    struct Item: ObjectValue {
        let id: String
        let name: String
        let title: String
        let price: Double
        let count: Int
        let active: Bool
        let kind: String
        let note: String?
        let score: Int
        let tag: String

        init(_ number: Int) {
            id = "item_\(number)"
            name = "Item number \(number)"
            title = "The title of item number \(number)"
            price = Double(number) + 0.25
            count = number * 7
            active = number % 2 == 0
            kind = number % 3 == 0 ? "PHYSICAL" : "DIGITAL"
            note = number % 4 == 0 ? nil : "A note on item number \(number)"
            score = number * 31 % 1000
            tag = "tag-\(number % 10)"
        }
    }

    private let schema: ExecutableSchema<Context>
    private let document: Document
    private let plan: Plan<Context>
    private let context = Context(items: (0..<1000).map(Item.init))

    init() throws {
        let sdl = """
            type Query { items: [Item!]! }
            type Item {
                id: ID! name: String! title: String! price: Float! count: Int! active: Boolean! kind: String!
                note: String score: Int! tag: String!
            }
            """
        let bindings: [any TypeBinding<Context>] = [
            ObjectBinding<Root, Context>("Query") { query in query.field("items") { _, context in context.items } },
            ObjectBinding<Item, Context>("Item") { item in
                item.field("id", \.id)
                item.field("name", \.name)
                item.field("title", \.title)
                item.field("price", \.price)
                item.field("count", \.count)
                item.field("active", \.active)
                item.field("kind", \.kind)
                item.field("note", \.note)
                item.field("score", \.score)
                item.field("tag", \.tag)
            },
        ]
        schema = try ExecutableSchema(schema: buildSchema(parse(Source(sdl))), bindings: bindings)
        document = try parse(Source("{ items { id name title price count active kind note score tag } }"))
        plan = try Self.plan(document, schema)
    }

    func makePlan() throws -> Plan<Context> { try Self.plan(document, schema) }

    /// - Returns: the number of bytes of the answer.
    func execute() async throws -> Int { try await GraphQL.execute(plan, variables: [:], context: context).body.count }

    private static func plan(_ document: Document, _ schema: ExecutableSchema<Context>) throws -> Plan<Context> {
        let prepared = try PreparedOperation(document, operationName: nil, schema: schema)
        return try prepared.plan(for: prepared.mask(for: [:]))
    }
}
