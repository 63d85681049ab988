import GraphQL
import NIOCore

/// Whose socket it is, and until when.
extension WebSocketConnection {
    // MARK: - Authentication

    /// The context that comes of it is that of the connection; each operation has a fresh one, as each HTTP request
    /// has.
    func authenticate(_ payload: InputObject) {
        head = head.with(connectionParameters: payload)
        check(head) { connection, session, _ in
            connection.use(session)
            connection.perform(connection.state.authenticated())
        }
    }

    func renew(_ payload: InputObject) {
        let renewed = head.with(connectionParameters: payload)
        check(renewed) { connection, session, isNewest in
            // Another's token would leave subscriptions under way that are not his.
            guard connection.session?.sessionID == nil || connection.session?.sessionID == session?.sessionID else {
                return connection.perform(connection.state.authenticationFailed(.forbidden))
            }
            if isNewest {
                connection.head.authorization = renewed.authorization
                connection.use(session)
            }
            connection.perform(connection.state.renewed())
        }
    }

    /// - Parameter granted: told whether no later credentials were granted before these, which may have waited longer.
    private func check(
        _ head: RequestHead,
        granted: @escaping @Sendable (WebSocketConnection, (any SessionContext)?, _ isNewest: Bool) -> Void
    ) {
        guard let context else { return }
        clock.authenticationBegan(settings.limits.executionTimeout)
        checks.begun += 1
        let number = checks.begun
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        let endpoint = runner.endpoint
        let task = Task.immediate(executorPreference: executor) {
            let authentication = await endpoint.authentication(of: head)
            if Task.isCancelled { return }
            await eventLoop.perform {
                let connection = bound.value
                if number == connection.checks.begun {
                    connection.clock.authenticationEnded()
                    connection.authentication = nil
                }
                switch authentication {
                case .granted(let session):
                    let isNewest = number > connection.checks.granted
                    if isNewest { connection.checks.granted = number }
                    granted(connection, session, isNewest)
                // Its streams have a word to say.
                case .refused where connection.session?.hasSessionEnded == true: connection.lookAtSession()
                case .refused(let errors):
                    connection.perform(connection.state.authenticationFailed(CloseReason(refusing: errors)))
                }
            }
        }
        // A task that has ended is let go of, for it keeps its stack.
        if clock.isAuthenticating { authentication = task }
    }

    // MARK: - The session

    private func use(_ session: (any SessionContext)?) {
        guard let context, !state.isClosed else { return }
        stopWatching?()
        self.session = session
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        stopWatching = session?.onSessionEnd { eventLoop.execute { connection.value.lookAtSession() } }
        // It may have ended before it was watched.
        eventLoop.execute { connection.value.lookAtSession() }
    }

    /// Once a second, and whenever the session may have ended.
    func lookAtSession() {
        guard let context, let session, !state.isClosed else { return }
        if session.hasSessionEnded { return perform(state.sessionEnded()) }
        guard let next = session.nextLook else { return }
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: TimeAmount(next)) { connection.value.lookAtSession() }
    }

    /// What is under way says its last; the socket is closed after that, and in any case soon.
    func conclude(stopped: [String], concluding: [String]) {
        guard let context else { return }
        if !stopped.isEmpty, let position { send(ServerMessage.ping(position)) }
        for id in stopped { operations.removeValue(forKey: id)?.end() }
        for id in concluding { operations[id]?.conclude?() }
        if clock.conclusion == nil {
            let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
            clock.conclusion = context.eventLoop.scheduleTask(in: settings.streams.conclusionTimeout) {
                let connection = connection.value
                connection.perform(connection.state.conclusionTimeoutPassed())
            }
        }
        perform(state.drainedAction)
    }
}

extension CloseReason {
    /// Clients come back after 4403 and 1013, but not after 4500.
    init(refusing errors: [GraphQLError]) {
        switch errors.first?.code.map(ErrorCode.init(rawValue:)) {
        case .internalServerError: self = .internalServerError
        case .unavailable, .timeout, .rateLimited: self = .tryAgainLater
        default: self = .forbidden
        }
    }
}
