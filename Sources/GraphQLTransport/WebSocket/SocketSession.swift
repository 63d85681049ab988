import GraphQL
import NIOCore

/// The session of a socket's client: checks the credentials that the client gives, and watches the session of the newest
/// that were granted. The context of the credentials serves the connection alone; each operation has a fresh context, as
/// each HTTP request has.
final class SocketSession {
    enum Event {
        /// - Parameter isFirst: whether these are the credentials of `connection_init`.
        case granted(isFirst: Bool)
        case refused(CloseReason)
        /// The session may have ended.
        case mayHaveEnded
    }

    /// The head of the upgrade's request, with the latest credentials.
    private(set) var head: RequestHead
    private let endpoint: any GraphQLEndpoint
    private let executor: EventLoopExecutor
    /// nil once the socket is closed.
    private var report: ((Event) -> Void)?
    private var session: (any SessionContext)?
    /// Ends the watch over the session.
    private var stopWatching: (@Sendable () -> Void)?
    /// Checks the newest credentials.
    private var task: Task<Void, Never>?
    /// Credentials that the client has given, and the newest of them that were granted.
    private var given = 0
    private var granted = 0

    /// - Parameter report: called on the event loop.
    init(
        _ head: RequestHead, _ endpoint: any GraphQLEndpoint, on executor: EventLoopExecutor,
        report: @escaping (Event) -> Void
    ) {
        self.head = head
        self.endpoint = endpoint
        self.executor = executor
        self.report = report
    }

    var hasEnded: Bool { session?.hasSessionEnded ?? false }
    /// When to look again, where the clock that looks once a second would be late.
    var nextLook: Duration? { session?.nextLook }
    /// Whether credentials are being checked.
    private(set) var isChecking = false

    func authenticate(_ payload: InputObject) {
        head = head.with(connectionParameters: payload)
        check(head) { session, context, _ in
            session.use(context)
            session.report?(.granted(isFirst: true))
        }
    }

    func renew(_ payload: InputObject) {
        let renewed = head.with(connectionParameters: payload)
        check(renewed) { session, context, isNewest in
            // With another user's token, the subscriptions under way would not be that user's.
            guard session.session?.sessionID == nil || session.session?.sessionID == context?.sessionID else {
                session.report?(.refused(.forbidden))
                return
            }
            if isNewest {
                session.head.authorization = renewed.authorization
                session.use(context)
            }
            session.report?(.granted(isFirst: false))
        }
    }

    /// Nothing is checked or watched any more.
    func close() {
        report = nil
        stopWatching?()
        stopWatching = nil
        task?.cancel()
        task = nil
    }

    /// - Parameter grant: told whether no later credentials were granted before these, which may have waited longer.
    private func check(
        _ head: RequestHead,
        grant: @escaping @Sendable (SocketSession, (any SessionContext)?, _ isNewest: Bool) -> Void
    ) {
        isChecking = true
        given += 1
        let number = given
        let bound = NIOLoopBound(self, eventLoop: executor.eventLoop)
        let eventLoop = executor.eventLoop
        let endpoint = endpoint
        let task = Task.immediate(executorPreference: executor) {
            let authentication = await endpoint.authentication(of: head)
            if Task.isCancelled { return }
            await eventLoop.perform { bound.value.finish(authentication, of: number, grant) }
        }
        // A task that has ended is let go of, for it keeps its stack.
        if isChecking { self.task = task }
    }

    private func finish(
        _ authentication: Authentication, of number: Int, _ grant: (SocketSession, (any SessionContext)?, Bool) -> Void
    ) {
        if number == given {
            isChecking = false
            task = nil
        }
        switch authentication {
        case .granted(let context):
            let isNewest = number > granted
            if isNewest { granted = number }
            grant(self, context, isNewest)
        // The streams of an ended session send their last events first.
        case .refused where hasEnded: report?(.mayHaveEnded)
        case .refused(let errors): report?(.refused(CloseReason(refusing: errors)))
        }
    }

    private func use(_ session: (any SessionContext)?) {
        if report == nil { return }
        stopWatching?()
        self.session = session
        let bound = NIOLoopBound(self, eventLoop: executor.eventLoop)
        let eventLoop = executor.eventLoop
        stopWatching = session?.onSessionEnd { eventLoop.execute { bound.value.report?(.mayHaveEnded) } }
        // The session may have ended before the watch began.
        eventLoop.execute { bound.value.report?(.mayHaveEnded) }
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
