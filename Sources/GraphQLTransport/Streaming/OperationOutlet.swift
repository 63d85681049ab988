import GraphQL

/// Where the responses of one operation go, as its protocol has them. Everything happens on the operation's event loop;
/// nothing is called after a call that ends the operation.
protocol OperationOutlet: AnyObject, SendableMetatype {
    /// What waits to be written to the client.
    var queue: EventQueue { get }

    /// The operation is about to run.
    /// - Parameter headers: of the response; they follow from what the operation has done when they are asked for.
    /// - Returns: false where it is not to run, and the client was told so or is gone.
    func accept(
        _ summary: OperationSummary, headers: @escaping @Sendable () -> [(name: String, value: String)]
    ) -> Bool

    /// The only response of a query or mutation. The operation has ended.
    func respond(_ response: GraphQL.Response)

    /// One of several responses of a query or mutation. The operation ends with the last.
    func send(part: GraphQL.Response, isLast: Bool)

    /// The source stream of a subscription was created.
    /// - Parameter concludes: whether it has something to say once its session has ended.
    func beginStream(concludes: Bool)

    func send(event: GraphQL.Response)

    /// Sends an event of many subscribers.
    /// - Returns: false where it has to wait for room.
    func send(shared event: SharedResponse) -> Bool

    /// The operation was refused, or has ended with errors.
    func fail(_ errors: [GraphQLError], _ summary: OperationSummary)

    /// The source stream has ended.
    func complete()
}
