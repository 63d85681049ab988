import GraphQL

extension Example {
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.field("getValue") { _ in "value" }
        query.field("getMultiline") { _ in "some\n\nthing" }
        query.field("throwing") { (_: Root) throws -> String in throw Failure("Query Kaboom!") }
        query.field("hello") { _, context in
            let name: String? = try context.arguments.decode("name")
            return "Hello \(name ?? "null")"
        }
        query.field("echo") { _, context in
            let input: InputObject? = try context.arguments.decode("input")
            return input.map(json)
        }
        query.batch("slow") { roots, context in
            let time: Int = try context.arguments.decode("ms")
            try await Task.sleep(for: .milliseconds(min(max(time, 0), 300)))
            return roots.map { _ in "slow" }
        }
        query.field("node") { (_, context) -> Node? in Node(id: try context.arguments.decode("id")) }
        query.field("nodes") { _, context in
            let ids: [String] = try context.arguments.decode("ids")
            return ids.map(Node.init(id:))
        }
        query.field("users") { _, context in
            UserConnection(try ArrayPage(context.arguments), of: User.all)
        }
        query.field("search") { _, context in
            let text: String = try context.arguments.decode("text")
            return User.all.filter { $0.name.contains(text) }.prefix(2).map(Node.user) + [.post(Post(title: text))]
        }
        query.field("maybe") { (_: Root) throws -> String? in throw Failure("maybe failed") }
        // A Swift optional does not fit String!, so the resolver throws the message that graphql-js has for a null.
        query.field("mustNot") { (_: Root) throws -> String in
            throw Failure("Cannot return null for non-nullable field Query.mustNot.")
        }
    }

    private static func json(_ object: InputObject) -> String {
        var writer = JSONWriter()
        writer.write(object)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
