import GraphQL

/// The schema that the attacks are aimed at: recursion through objects, an interface and a union; lists; arguments of
/// every kind.
struct AttackSchema {
    struct Context: ExecutionContext {
        func executionError(for error: any Error) -> ExecutionError {
            ExecutionError("\(error)", code: .internalServerError)
        }
    }

    struct Item: ObjectValue {}
    struct Note: ObjectValue {}

    enum Node: AbstractValue {
        case item(Item)
        case note(Note)
    }

    static let sdl = """
        type Query {
            item(id: ID, first: Int, filter: Filter, tags: [String!], matrix: [[Int]], order: Order): Item
            node(id: ID): Node
            found: Found
        }
        type Subscription { ticks: Int }
        interface Node { id: ID name(style: Order): String next: Node }
        union Found = Item | Note
        type Item implements Node {
            id: ID name(style: Order): String title: String price: Float count: Int active: Boolean createdAt: String
            item(id: ID, first: Int, filter: Filter): Item next: Node found: Found
        }
        type Note implements Node { id: ID name(style: Order): String text: String count: Float next: Node item: Item }
        input Filter { and: [Filter!] not: Filter equal: Choice minimum: Int order: Order text: String }
        input Choice @oneOf { number: Int text: String }
        enum Order { NEWEST OLDEST BEST WORST }
        """

    let executable: ExecutableSchema<Context>
    var schema: Schema { executable.schema }

    init() throws {
        let node: @Sendable (inout ObjectFields<Item, Context>) -> Void = { item in
            item.field("id") { _ in "item_1" }
            item.field("name") { _ in "An item" }
            item.field("title") { _ in "Title" }
            item.field("price") { _ in 1.5 }
            item.field("count") { _ in 1 }
            item.field("active") { _ in true }
            item.field("createdAt") { _ in "2026-11-20" }
            item.field("item") { _ in Item() as Item? }
            item.field("next") { _ in Node.note(Note()) as Node? }
            item.field("found") { _ in Node.item(Item()) as Node? }
        }
        let bindings: [any TypeBinding<Context>] = [
            ObjectBinding<Root, Context>("Query") { query in
                query.field("item") { _, _ in Item() as Item? }
                query.field("node") { _, _ in Node.item(Item()) as Node? }
                query.field("found") { _, _ in Node.item(Item()) as Node? }
            },
            ObjectBinding<Root, Context>("Subscription") { subscription in
                subscription.stream("ticks") { _ in AsyncStream<Int> { $0.finish() } }
            },
            ObjectBinding<Item, Context>("Item", node),
            ObjectBinding<Note, Context>("Note") { note in
                note.field("id") { _ in "note_1" }
                note.field("name") { _ in "A note" }
                note.field("text") { _ in "Text" }
                note.field("count") { _ in 1.5 }
                note.field("next") { _ in Node.item(Item()) as Node? }
                note.field("item") { _ in Item() as Item? }
            },
            InterfaceBinding<Node, Context>("Node", Self.members),
            UnionBinding<Node, Context>("Found", Self.members),
        ]
        executable = try ExecutableSchema(schema: buildSchema(parse(Source(Self.sdl))), bindings: bindings)
    }

    private static func members(_ members: inout AbstractMembers<Node>) {
        members.member("Item") { if case .item(let item) = $0 { item } else { nil } }
        members.member("Note") { if case .note(let note) = $0 { note } else { nil } }
    }
}
