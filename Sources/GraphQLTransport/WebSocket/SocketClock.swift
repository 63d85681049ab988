import NIOCore

/// The deadlines of a socket, which are looked at once a second: each may be up to a second late.
struct SocketClock {
    /// Until when the client must have answered a close frame.
    var closeBy = NIODeadline.distantFuture
    /// Until when the client must have begun to read.
    private(set) var writeBy = NIODeadline.distantFuture
    fileprivate var authenticateBy = NIODeadline.distantFuture
    fileprivate var keepAlive = NIODeadline.distantFuture
    fileprivate var connectionInit: Scheduled<Void>?
    /// Closes a socket whose session has ended, whatever its operations still owe.
    var conclusion: Scheduled<Void>?

    mutating func noteWritability(_ isWritable: Bool, patience: TimeAmount) {
        writeBy = isWritable ? .distantFuture : .now() + patience
    }

    var isAuthenticating: Bool { authenticateBy != .distantFuture }

    mutating func authenticationBegan(_ patience: TimeAmount) { authenticateBy = .now() + patience }
    mutating func authenticationEnded() { authenticateBy = .distantFuture }
}

extension WebSocketConnection: Ticking {
    func startClock(_ context: ChannelHandlerContext) {
        clock.keepAlive = .now() + settings.streams.keepAlive
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        clock.connectionInit = context.eventLoop.scheduleTask(in: settings.streams.connectionInitTimeout) {
            let connection = connection.value
            connection.perform(connection.state.connectionInitTimeoutPassed())
        }
        keepClock()
    }

    func keepClock() { executor?.clock.value.add(self) }

    func connectionInitCame() {
        clock.connectionInit?.cancel()
        clock.connectionInit = nil
    }

    func stopClock() {
        connectionInitCame()
        clock.conclusion?.cancel()
        executor?.clock.value.remove(self)
    }

    func tick() {
        guard let context else { return }
        let now = NIODeadline.now()
        if clock.closeBy <= now || clock.writeBy <= now { return context.close(promise: nil) }
        if state.isClosed { return }
        lookAtSession()
        if clock.authenticateBy <= now { perform(state.authenticationFailed(.tryAgainLater)) }
        for (id, operation) in operations where operation.deadline <= now {
            fail(id, operation, [.operationTimeout()])
        }
        if clock.keepAlive <= now {
            clock.keepAlive = now + settings.streams.keepAlive
            perform(state.keepAliveDue())
        }
    }
}
