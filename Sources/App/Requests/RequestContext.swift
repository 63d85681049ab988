import ChangeFeed
import GraphQL
import Postgres
import Synchronization

/// The context of one request for its resolvers. All statements of a request run through the context, so that none runs
/// without the setting of the viewer.
public struct RequestContext: Sendable {
    /// The account and the session in which a request runs.
    public struct Viewer: Sendable, Equatable {
        public let userID: UUID
        public let sessionID: UUID
    }

    /// The claims of the request's access token.
    struct Grant {
        /// The session id as the token has it.
        let sessionID: String
        /// The time at which the token expires, in milliseconds since 1970.
        let expiresAt: Int64
        /// Whether the account has not signed up.
        let isAnonymous: Bool
    }

    // A single reference holds the properties, because a context has many properties and is copied often.
    private let request: Request
    /// The cursor of the change log from which the client connection resumes, for subscriptions without an `after` of
    /// their own.
    public var resumeAfter: String?
    /// The cursor of the last event that the client got of this very stream. It counts before the subscription's `after`.
    public var lastEventID: String?
    /// Identifies the client connection whose subscriptions get their changes in one order; nil for a single
    /// subscription.
    public var clientConnectionID: UInt64?

    public init(
        environment: Environment, viewer: Viewer?, userAgent: String? = nil, address: String? = nil,
        requestID: String? = nil
    ) {
        self.init(
            environment: environment, viewer: viewer, grant: nil, userAgent: userAgent, address: address,
            requestID: requestID)
    }

    init(
        environment: Environment, viewer: Viewer?, grant: Grant?, userAgent: String?, address: String?,
        requestID: String?
    ) {
        request = Request(
            environment, viewer, grant, userAgent: userAgent, address: address, requestID: requestID)
    }

    public var environment: Environment { request.environment }
    public var userAgent: String? { request.userAgent }
    /// The client's network address as text; nil if it is unknown.
    public var address: String? { request.address }
    /// Identifies the request in the server's log.
    public var requestID: String? { request.requestID }

    /// The session id in the request's access token; nil without a token.
    public var sessionID: String? { request.grant?.sessionID }

    /// Whether the request comes from an account that has signed up.
    public var isMember: Bool { request.grant.map { !$0.isAnonymous } ?? false }

    /// Whether the access token has expired or its session was revoked. The check is made in memory. This replica
    /// learns of a revocation within a second.
    public var hasSessionEnded: Bool {
        guard let grant = request.grant else { return false }
        let now = environment.now().unixMilliseconds
        return now >= grant.expiresAt || environment.revokedSessions.isRevoked(grant.sessionID, now: now)
    }

    /// The time until the access token expires; nil without a token.
    public var sessionTimeLeft: Duration? {
        request.grant.map { .milliseconds($0.expiresAt - environment.now().unixMilliseconds) }
    }

    /// Calls `notify`, on any thread, when this replica learns that the session of the access token was revoked.
    /// - Returns: a function that ends the watch; nil without a token.
    public func onSessionEnd(_ notify: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        request.grant.map { environment.revokedSessions.watch($0.sessionID, notify) }
    }

    /// The viewer; nil for a request without a session. Signing in and out change it during a mutation.
    public var viewer: Viewer? { request.session.withLock { $0.viewer } }

    /// The statement that sets the viewer and the people hidden from the viewer, for its segment alone; nil without a
    /// viewer.
    var settings: SQL? { request.session.withLock { $0.settings } }

    /// Sends a read without waiting for its rows.
    func start<S: Statement>(_ statement: S) -> PendingRows<S> {
        if let viewer { environment.activity.note(.read, by: viewer.userID, at: environment.now()) }
        let pools = environment.pools
        return (S.lane == .slow ? pools.slow : pools.read).start(statement, settings: settings)
    }

    /// The latest state of each rate that counted this request.
    public var rateUses: [RateUse] { request.rateUses.withLock { $0 } }

    func note(_ use: RateUse) {
        request.rateUses.withLock { uses in
            uses.removeAll { $0.rate.name == use.rate.name }
            uses.append(use)
        }
    }

    func requireViewer() throws -> Viewer {
        guard let viewer else { throw ExecutionError.unauthenticated }
        return viewer
    }

    /// Sets the viewer of the fields below this root field and of the root fields after it. The root fields of a
    /// mutation run one after another.
    func sign(in viewer: Viewer?) { request.session.withLock { $0 = CurrentSession(viewer) } }
}

extension PendingRows where S: Statement, S.Output: Sendable {
    /// The rows as a field's result, awaited together with the other fields of the level.
    var pending: Pending<[S.Output]> { Pending { try await value } }
}

private final class Request: Sendable {
    let environment: Environment
    let grant: RequestContext.Grant?
    let userAgent: String?
    let address: String?
    let requestID: String?
    let session: Mutex<CurrentSession>
    let rateUses = Mutex<[RateUse]>([])

    init(
        _ environment: Environment, _ viewer: RequestContext.Viewer?, _ grant: RequestContext.Grant?,
        userAgent: String?, address: String?, requestID: String?
    ) {
        self.environment = environment
        self.grant = grant
        self.userAgent = userAgent
        self.address = address
        self.requestID = requestID
        session = Mutex(CurrentSession(viewer))
    }
}

/// The session in which a request runs. Signing in and out change it.
private struct CurrentSession {
    let viewer: RequestContext.Viewer?
    /// The statement is built when it is first needed, because not every request runs one.
    private(set) lazy var settings: SQL? = viewer.map {
        "select set_config('app.viewer_id', \($0.userID.description), true), \(HiddenPeople.setting(of: $0.userID))"
    }

    init(_ viewer: RequestContext.Viewer?) { self.viewer = viewer }
}

extension RequestContext: ChangeContext {
    public var changeLog: ChangeLog { environment.changeLog }
    public var viewerID: UUID? { viewer?.userID }
}
