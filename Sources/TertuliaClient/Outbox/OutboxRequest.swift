/// A request of the outbox: a write, or the query that is read before it.
struct OutboxRequest: Sendable, Equatable {
    /// The operation's name.
    let name: String
    let document: String
    let variables: JSONObject
    var uploads: [UploadPart] = []
}

extension OutboxRequest {
    init<Query: QueryOperation>(_ query: Query) {
        self.init(name: Query.name, document: Query.document, variables: query.variables.values)
    }

    var json: JSONValue {
        .object(
            JSONObject([
                ("name", .string(name)), ("document", .string(document)), ("variables", .object(variables)),
            ]))
    }

    init?(_ json: JSONValue) {
        guard let name = json.object?["name"]?.text, let document = json.object?["document"]?.text,
            let variables = json.object?["variables"]?.object
        else { return nil }
        self.init(name: name, document: document, variables: variables)
    }
}
