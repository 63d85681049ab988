import NIOCore

/// One clock a connection, which looks once a second, instead of a timer a request: so a deadline may be up to a second
/// late, and costs a request nothing.
struct ConnectionDeadlines {
    /// Until when the present phase may last.
    var current = NIODeadline.distantFuture
    /// Until when the client must have begun to read what was written.
    var write = NIODeadline.distantFuture
    /// Until when the head must be there, once its first byte is.
    var header = NIODeadline.distantFuture
    /// Until when the server waits for this connection while it stops.
    var drain = NIODeadline.distantFuture
    fileprivate var clock: Scheduled<Void>?

    mutating func requestFinished(idle: TimeAmount) {
        current = .now() + idle
        header = .distantFuture
    }
}

extension HTTPConnection {
    private static var tick: TimeAmount { .seconds(1) }
    /// Whoever is sent away has said at once what it wants.
    private static var doorTimeout: TimeAmount { .seconds(2) }

    func startDeadlines(_ context: ChannelHandlerContext) {
        deadlines.current = .now() + (place.isAtDoor ? Self.doorTimeout : settings.limits.idleTimeout)
        scheduleClock(context)
    }

    func stopDeadlines() {
        deadlines.clock?.cancel()
        deadlines.clock = nil
    }

    private func scheduleClock(_ context: ChannelHandlerContext) {
        let connection = NIOLoopBound(self, eventLoop: context.eventLoop)
        deadlines.clock = context.eventLoop.scheduleTask(in: Self.tick) { connection.value.lookAtClock() }
    }

    private func lookAtClock() {
        guard let context else { return }
        let now = NIODeadline.now()
        if deadlines.write <= now || deadlines.drain <= now { return context.close(mode: .all, promise: nil) }
        lookAtStream()
        if min(deadlines.current, deadlines.header) <= now { endPhase(context) }
        if self.context != nil { scheduleClock(context) }
    }

    private func endPhase(_ context: ChannelHandlerContext) {
        switch phase {
        case .idle:
            if deadlines.header <= .now() {
                startedAt = .now()
                write(.refusal(.requestTimeout, "The request's head took too long."), context, isLast: true)
            } else {
                context.close(promise: nil)
            }
        case .receiving, .upgrading:
            write(.refusal(.requestTimeout, "The request's body took too long."), context, isLast: true)
        case .executing:
            task?.cancel()
            task = nil
            if let stream { return timeOut(stream, context) }
            guard let head else { return }
            write(endpoint.timeout(of: head), context)
            takeParts(context)
        case .streaming: keepStreamAlive()
        case .routing:
            // Before the head the client can still be told; after it only a cut shows that the body is not whole.
            if !routedResponse.isHeadWritten {
                write(.refusal(.serviceUnavailable, "It took too long."), context, isLast: true)
            } else if routedResponse.isFinished {
                // It was answered, and still sends its body.
                context.close(promise: nil)
            }
        case .lingering, .upgraded: context.close(promise: nil)
        }
    }

    /// Called by the handler in front of the decoder, which alone sees a head that comes byte by byte.
    func bytesArrived() {
        if case .idle = phase, deadlines.header == .distantFuture {
            deadlines.header = .now() + settings.limits.headerTimeout
        }
    }

    /// The client has time to read what it asked for; each bit that it reads gives it new time.
    func noteWrite() {
        if isWritable {
            deadlines.write = .distantFuture
        } else if deadlines.write == .distantFuture {
            deadlines.write = .now() + settings.limits.writeTimeout
        }
    }

    /// The server stops: what is under way is finished, and an idle connection gets a moment in which a request that is
    /// already on its way is still answered.
    func drain(_ context: ChannelHandlerContext) {
        isDraining = true
        closesAfterAnswer = true
        deadlines.drain = .now() + settings.limits.drainTimeout
        drainStream()
        if case .idle = phase { deadlines.current = min(deadlines.current, .now() + .milliseconds(500)) }
    }
}
