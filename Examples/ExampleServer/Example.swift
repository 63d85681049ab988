import Cryptography
import GraphQL

/// The SDL, and the Swift types that stand for its types. The initialiser of `ExecutableSchema` throws an error that
/// names each field without a resolver, each resolver without a field, and each pair of types that do not fit.
enum Example {
    static let definitions = String(decoding: PackageResources.example_graphql, as: UTF8.self)

    static func schema() throws -> ExecutableSchema<RequestContext> {
        let pings = Pings()
        return try ExecutableSchema(
            schema: buildSchema(parse(Source(definitions)), scalars: ["Upload": .upload]),
            bindings: [
                ObjectBinding<Root, RequestContext>("Query", query),
                ObjectBinding<Root, RequestContext>("Mutation") { mutation(&$0, pings) },
                ObjectBinding<Root, RequestContext>("Subscription") { subscription(&$0, pings) },
                InterfaceBinding<Node, RequestContext>("Node", Node.members),
                UnionBinding<Node, RequestContext>("SearchResult", Node.members),
                ObjectBinding<User, RequestContext>("User") { user in
                    user.field("id", \.id)
                    user.field("name", \.name)
                    user.field("age", \.age)
                    user.field("role", \.role)
                },
                ObjectBinding<Post, RequestContext>("Post") { post in
                    post.field("id", \.id)
                    post.field("title", \.title)
                },
                ObjectBinding<UserConnection, RequestContext>("UserConnection") { connection in
                    connection.field("edges", \.edges)
                    connection.field("pageInfo", \.pageInfo)
                    connection.field("totalCount", \.totalCount)
                },
                ObjectBinding<UserEdge, RequestContext>("UserEdge") { edge in
                    edge.field("cursor", \.cursor)
                    edge.field("node", \.node)
                },
                ObjectBinding<PageInfo, RequestContext>("PageInfo") { pageInfo in
                    pageInfo.field("hasNextPage", \.hasNextPage)
                    pageInfo.field("hasPreviousPage", \.hasPreviousPage)
                    pageInfo.field("startCursor", \.startCursor)
                    pageInfo.field("endCursor", \.endCursor)
                },
                ObjectBinding<Upload, RequestContext>("File") { file in
                    file.field("filename") { (file: Upload) -> String? in file.filename.isEmpty ? nil : file.filename }
                    file.field("mimetype", \.contentType)
                    file.field("size", \.bytes.count)
                    file.field("sha256") { SHA256.digest(of: $0.bytes).hex }
                },
                ObjectBinding<CreateUserPayload, RequestContext>("CreateUserPayload") { payload in
                    payload.field("user", \.user)
                    payload.field("clientMutationId", \.clientMutationID)
                },
            ])
    }
}
