import ClientDocuments

/// What belongs to one account on this device: its store, its socket and its writes that wait.
actor AccountStore {
    nonisolated let store: Store
    nonisolated let socket: SubscriptionSocket
    nonisolated let outbox: Outbox
    private let endpoint: Endpoint
    private let session: Session
    /// The account's id; nil for what is read without a session.
    private let account: String?

    /// - Parameter account: nil for what is read without a session.
    init(
        _ store: Store, account: Account?, endpoint: Endpoint, session: Session,
        operations: [any GraphQLOperation.Type]
    ) {
        self.store = store
        self.endpoint = endpoint
        self.session = session
        let id = account?.id
        self.account = id
        socket = SubscriptionSocket(endpoint: endpoint, session: session, account: id)
        outbox = Outbox(store: store, operations: operations) { request in
            try await Self.send(
                request.document, EncodedVariables(values: request.variables, uploads: request.uploads), endpoint,
                session, id)
        }
    }

    /// Sends a query, with a new token where the server refuses the first.
    func send<Query: QueryOperation>(_ query: Query) async throws -> Response {
        try await Self.send(Query.clientDocument, query.variables, endpoint, session, account)
    }

    /// - Throws: `RequestRefused` with UNAUTHENTICATED where another account is signed in: nothing is ever sent under
    ///   another account than the store's.
    private static func send(
        _ document: ClientDocument, _ variables: EncodedVariables, _ endpoint: Endpoint, _ session: Session,
        _ account: String?
    ) async throws -> Response {
        let token = try await session.accessToken(of: account)
        let response = try await endpoint.send(document, variables, accessToken: token)
        guard RequestRefused(response.errors).has("UNAUTHENTICATED"), token != nil else { return response }
        let next = try await session.accessToken(of: account, inPlaceOf: token)
        guard next != token else { return response }
        return try await endpoint.send(document, variables, accessToken: next)
    }

    func close() async {
        await store.observers.finish()
        await outbox.close()
        await socket.close()
    }
}
