import GraphQL
import NIOCore

/// The session of a WebSocket's client. It checks the client's credentials, and watches the end of the session that
/// belongs to the newest granted ones. The context that the check yields serves this watch only; each operation has a
/// fresh context, as each HTTP request has.
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
    /// The task that checks the newest credentials.
    private var task: Task<Void, Never>?
    /// The number of credentials that the client has given, and the number of the newest granted ones.
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
    /// The time until the session must be checked again, where the check once a second would be late; nil otherwise.
    var nextSessionCheck: Duration? { session?.nextSessionCheck }
    /// Whether credentials are being checked.
    private(set) var isChecking = false

    func authenticate(_ payload: InputObject) {
        guard let head = head(with: payload) else { return }
        self.head = head
        check(head) { session, context, _ in
            session.use(context)
            session.report?(.granted(isFirst: true))
        }
    }

    func renew(_ payload: InputObject) {
        guard let renewed = head(with: payload) else { return }
        check(renewed) { session, context, isNewest in
            // The subscriptions under way belong to the former session, so credentials of another session are refused.
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

    /// Ends all checks and the watch of the session.
    func close() {
        report = nil
        stopWatching?()
        stopWatching = nil
        task?.cancel()
        task = nil
    }

    /// - Returns: nil for a payload that is refused.
    private func head(with payload: InputObject) -> RequestHead? {
        do { return try head.with(connectionParameters: payload) } catch {
            report?(.refused(.invalidMessage(error.reason)))
            return nil
        }
    }

    /// - Parameter grant: called for granted credentials. `isNewest` is false where later credentials were granted
    ///   earlier.
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
        // The task is kept only while it runs, since a task that has ended still holds its stack.
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
        // After the end of the session the streams send their last events before the close.
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
    /// Libraries such as graphql-ws reconnect after 4403 and 1013, but not after 4400 and 4500.
    init(refusing errors: [GraphQLError]) {
        switch errors.first?.code.map(ErrorCode.init(rawValue:)) {
        case .badRequest: self = .invalidMessage(errors.first?.message ?? "")
        case .internalServerError: self = .internalServerError
        case .unavailable, .overloaded, .timeout, .rateLimited: self = .tryAgainLater
        default: self = .forbidden
        }
    }
}
