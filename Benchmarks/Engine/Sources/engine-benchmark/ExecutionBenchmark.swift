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

    let plan: Plan<Context>
    let context = Context(items: (0..<1000).map(Item.init))

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
        let schema = try ExecutableSchema(schema: buildSchema(parse(Source(sdl))), bindings: bindings)
        let document = try parse(Source("{ items { id name title price count active kind note score tag } }"))
        let prepared = try PreparedOperation(document, operationName: nil, schema: schema)
        plan = try prepared.plan(for: prepared.mask(for: [:]))
    }

    /// Prints the best of 4,000 runs, so that what else runs on the machine does not count.
    func run() async throws {
        let clock = ContinuousClock()
        var best = Duration.seconds(3600)
        var bytes = 0
        for _ in 0..<4000 {
            let start = clock.now
            bytes = try await execute(plan, variables: [:], context: context).body.count
            best = min(best, clock.now - start)
        }
        let microseconds = Double(best.components.attoseconds) / 1e12
        print("execute 1,000 x 10 leafs, \(bytes) bytes: \((microseconds * 10).rounded() / 10) µs")
    }
}
