/// The parts of the client that belong to one account: the store, the socket and the outbox.
actor AccountStore {
    nonisolated let store: Store
    nonisolated let socket: SubscriptionSocket
    nonisolated let outbox: Outbox
    private let endpoint: Endpoint
    private let session: Session
    /// The account's id; nil for requests without a session.
    private let account: String?

    /// - Parameter account: nil for requests without a session.
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
                request.name, request.document,
                EncodedVariables(values: request.variables, uploads: request.uploads), endpoint, session, id)
        }
    }

    /// Sends a query or a mutation, and once more with a new token where the server refuses the first one.
    func send<Operation: GraphQLOperation>(_ operation: Operation) async throws -> Response {
        try await Self.send(
            Operation.name, Operation.document, operation.variables, endpoint, session, account)
    }

    /// - Throws: `RequestRefused` with UNAUTHENTICATED where the session has another account than the store's, or none,
    ///   because a request is never sent in the name of another account.
    private static func send(
        _ name: String, _ document: String, _ variables: EncodedVariables, _ endpoint: Endpoint, _ session: Session,
        _ account: String?
    ) async throws -> Response {
        let token = try await session.accessToken(of: account)
        let response = try await endpoint.send(
            name: name, document: document, variables: variables, accessToken: token)
        guard RequestRefused(response.errors).has("UNAUTHENTICATED"), token != nil else { return response }
        let next = try await session.accessToken(of: account, inPlaceOf: token)
        guard next != token else { return response }
        return try await endpoint.send(name: name, document: document, variables: variables, accessToken: next)
    }

    func close() async {
        await store.observers.finish()
        await outbox.close()
        await socket.close()
    }
}
