import GraphQL

/// A page of a list as the server answered it.
struct LiveListPage: Sendable {
    let edges: [JSONObject]
    let endCursor: String?
    let hasNextPage: Bool
    /// The cursor from which a subscription gets every change that the page may lack.
    let changeCursor: String?

    /// - Parameter connection: the response names from the root to the connection.
    /// - Throws: `RequestRefused` where the answer has no list.
    init(_ response: Response, connection: [String]) throws {
        var found = response.data.map(JSONValue.object)
        for name in connection { found = found?.object?[name] }
        guard let connection = found?.object, let edges = connection["edges"]?.list,
            let page = connection["pageInfo"]?.object
        else { throw RequestRefused(response.errors) }
        self.edges = edges.compactMap(\.object)
        endCursor = page["endCursor"]?.text
        hasNextPage = page["hasNextPage"] == .boolean(true)
        changeCursor = response.data?["changeCursor"]?.text
    }
}
