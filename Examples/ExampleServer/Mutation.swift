import GraphQL

extension Example {
    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>, _ pings: Pings) {
        mutation.field("pong") { _, context in
            pings.pong(try context.arguments.decode("key"))
            return true
        }
        mutation.field("singleUpload") { _, context in try context.arguments.decode(Upload.self, "file") }
        mutation.field("multipleUpload") { _, context in try context.arguments.decode([Upload].self, "files") }
        mutation.field("createUser") { (_, context) -> CreateUserPayload? in
            let input: InputObject = try context.arguments.decode("input")
            return CreateUserPayload(
                user: User(name: try input.decode("name"), age: try input.decode("age")),
                clientMutationID: try input.decode("clientMutationId"))
        }
    }
}

/// An `Upload` is the value of the schema's type `File`.
extension Upload: ObjectValue {}

/// The user is made, but not kept: however often a test runs, the list stays as it is.
struct CreateUserPayload: ObjectValue {
    let user: User?
    let clientMutationID: String?
}
