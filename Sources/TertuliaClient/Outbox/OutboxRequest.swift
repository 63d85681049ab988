import ClientDocuments

/// A request of the outbox: a write, or the query that is read before it.
struct OutboxRequest: Sendable, Equatable {
    let document: ClientDocument
    let variables: JSONObject
    var uploads: [UploadPart] = []
}

extension OutboxRequest {
    init<Query: QueryOperation>(_ query: Query) {
        self.init(document: Query.clientDocument, variables: query.variables.values)
    }

    var json: JSONValue {
        .object(
            JSONObject([
                ("name", .string(document.name)), ("documentId", .string(document.id)),
                ("document", .string(document.text)), ("variables", .object(variables)),
            ]))
    }

    init?(_ json: JSONValue) {
        guard let name = json.object?["name"]?.text, let text = json.object?["document"]?.text,
            let variables = json.object?["variables"]?.object
        else { return nil }
        let id = json.object?["documentId"]?.text
        let document =
            id.map { ClientDocument(name: name, id: $0, text: text) } ?? ClientDocument(name: name, text: text)
        self.init(document: document, variables: variables)
    }
}
