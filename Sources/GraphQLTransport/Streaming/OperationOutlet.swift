import GraphQL

/// Writes the responses of one operation in the form of its protocol. All methods are called on the operation's event
/// loop, and none after a call that ends the operation.
protocol OperationOutlet: AnyObject, SendableMetatype {
    /// The messages that wait to be written to the client.
    var queue: EventQueue { get }

    /// The operation is about to run.
    /// - Parameter headers: gives the headers of the response. They depend on how far the operation has run when it is
    ///   called.
    /// - Returns: false where the operation is not to run, because the outlet has refused it or the client is gone.
    func accept(
        _ summary: OperationSummary, headers: @escaping @Sendable () -> [(name: String, value: String)]
    ) -> Bool

    /// The only response of a query or mutation. The operation has ended.
    func respond(_ response: GraphQL.Response)

    /// A response of a query or mutation that has several. The operation ends with the last.
    func send(part: GraphQL.Response, isLast: Bool)

    /// The source stream of a subscription was created.
    /// - Parameter sendsLastEvents: whether the source sends events of its own once its session has ended.
    func beginStream(sendsLastEvents: Bool)

    func send(event: GraphQL.Response)

    /// Sends an event that many subscribers share.
    /// - Returns: false where the event has to wait for room.
    func send(shared event: SharedResponse) -> Bool

    /// The operation was refused, or has ended with errors.
    func fail(_ errors: [GraphQLError], _ summary: OperationSummary)

    /// The source stream has ended.
    func complete()
}
