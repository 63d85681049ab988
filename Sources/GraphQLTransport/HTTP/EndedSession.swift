import GraphQL

/// The failure of `GraphQLServer.Authenticate` for credentials that were valid until they expired or were revoked. The
/// request is refused with `error`. A mutation that runs after the session, `GraphQLServer.runsAfterSession`, runs as one
/// without credentials.
public struct EndedSession<Context: ExecutionContext>: Error {
    /// The context of a request without credentials.
    let context: Context
    let error: ExecutionError

    public init(context: Context, error: ExecutionError) {
        self.context = context
        self.error = error
    }

    /// The error for an operation that could not be prepared. The client has to hear of its session first, unless it is
    /// told to send the same request again or in another way.
    func error(insteadOf error: any Error) -> any Error {
        switch (error as? RequestError)?.errors.first?.code.map(ErrorCode.init(rawValue:)) {
        case .persistedQueryNotFound, .persistedQueryNotSupported, .overloaded: error
        default: self.error
        }
    }
}

extension SchemaEndpoint {
    /// Refuses an operation of a client whose session has ended, unless each of its root fields runs after a session.
    /// - Parameter ended: nil for any other client, which is not refused.
    func refuse(
        _ operation: CachedOperation<Context>, _ variables: [String: InputValue], after ended: EndedSession<Context>?
    ) throws(ExecutionError) {
        guard let ended else { return }
        guard operation.type == .mutation, let fields = try? operation.prepared.selectedRootFields(for: variables),
            !fields.isEmpty, fields.allSatisfy({ runsAfterSession($0.name, $0.arguments) })
        else { throw ended.error }
    }
}
