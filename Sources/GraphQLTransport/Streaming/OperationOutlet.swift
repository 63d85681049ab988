import GraphQL

/// Writes the responses of one operation in the form of its protocol. All methods are called on the operation's event
/// loop. No method is called after a call that ends the operation.
protocol OperationOutlet: AnyObject, SendableMetatype {
    /// The messages that wait to be written to the client.
    var queue: EventQueue { get }

    /// Called when the operation is about to run.
    /// - Parameter headers: returns the headers of the response. They depend on how far the operation has run at the
    ///   time of the call.
    /// - Returns: false if the operation must not run, because the outlet has refused it or the client is gone.
    func accept(
        _ summary: OperationSummary, headers: @escaping @Sendable () -> [(name: String, value: String)]
    ) -> Bool

    /// Sends the only response of a query or mutation. The operation has ended.
    func respond(_ response: GraphQL.Response)

    /// Sends one of several responses of a query or mutation. The operation ends with the last response.
    func send(part: GraphQL.Response, isLast: Bool)

    /// Called when the source stream of a subscription has been created.
    /// - Parameter sendsLastEvents: whether the source stream, once the client's session has ended, still sends the
    ///   events that were left to send and then ends by itself. Other streams are ended at once.
    func beginStream(sendsLastEvents: Bool)

    func send(event: GraphQL.Response)

    /// Sends an event that many subscribers share.
    /// - Returns: false if the event was not sent, because it has to wait for room.
    func send(shared event: SharedResponse) -> Bool

    /// Sends the errors with which the operation was refused or has ended.
    func fail(_ errors: [GraphQLError], _ summary: OperationSummary)

    /// Called when the source stream of a subscription has ended.
    func complete()
}
