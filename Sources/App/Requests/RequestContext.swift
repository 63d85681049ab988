import GraphQL
import Postgres
import Synchronization

/// What one request brings to its resolvers. Every statement of a request goes through it, so that none runs without
/// the viewer set.
public struct RequestContext: Sendable {
    public struct Viewer: Sendable, Equatable {
        public let userID: UUID
        public let sessionID: UUID
    }

    /// What the access token of the request was given for.
    struct Grant {
        /// As the token has it.
        let sessionID: String
        /// In milliseconds since 1970.
        let expiresAt: Int64
        /// Whether the account has not signed up.
        let isAnonymous: Bool
    }

    // One reference: contexts are copied often, and an environment has many.
    private let request: Request
    /// A cursor of the change log that the connection resumes from: of its subscriptions that name none themselves.
    public var resumeAfter: String?
    /// Names the connection whose subscriptions keep the order of the log among them; nil where there is only one.
    public var connection: UInt64?

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
    public var address: String? { request.address }
    /// Names the request in the log.
    public var requestID: String? { request.requestID }

    /// A position of the change log from before anything is read.
    var cursorAtStart: ChangeCursor? { request.cursorAtStart }

    /// Of the access token that the request came with; nil where it came with none.
    public var sessionID: String? { request.grant?.sessionID }

    /// Whether the request comes from an account that has signed up.
    public var isMember: Bool { request.grant.map { !$0.isAnonymous } ?? false }

    /// Whether that access token expired or its session was revoked since. From memory: a revocation is known here
    /// once it has been read, at most half a second later.
    public var hasSessionEnded: Bool {
        guard let grant = request.grant else { return false }
        let now = environment.now().unixMilliseconds
        return now >= grant.expiresAt || environment.revokedSessions.isRevoked(grant.sessionID, now: now)
    }

    /// How long it takes until the access token expires.
    public var sessionTimeLeft: Duration? {
        request.grant.map { .milliseconds($0.expiresAt - environment.now().unixMilliseconds) }
    }

    /// Calls back, on any thread, when the session of the access token becomes known as revoked.
    public func onSessionEnd(_ notify: @escaping @Sendable () -> Void) -> (@Sendable () -> Void)? {
        request.grant.map { environment.revokedSessions.watch($0.sessionID, notify) }
    }

    public var viewer: Viewer? { request.session.withLock { $0.viewer } }

    /// Sets the viewer, and whom they see nothing of, for the segment that it stands in, and for it alone.
    var settings: SQL? { request.session.withLock { $0.settings } }

    /// Sends a read at once.
    func start<S: Statement>(_ statement: S) -> PendingRows<S> {
        if let viewer { environment.activity.note(.read, by: viewer.userID, at: environment.now()) }
        let pools = environment.pools
        return (S.lane == .slow ? pools.slow : pools.read).start(statement, settings: settings)
    }

    /// What the rates left that counted this request, each as it was last counted.
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

    /// Root fields of a mutation run one after another: what is below this one, and what follows, has the new session.
    func sign(in viewer: Viewer?) { request.session.withLock { $0 = CurrentSession(viewer) } }
}

extension PendingRows where S: Statement, S.Output: Sendable {
    /// For a field: the rows, awaited when the level is.
    var pending: Pending<[S.Output]> { Pending { try await value } }
}

private final class Request: Sendable {
    let environment: Environment
    let grant: RequestContext.Grant?
    let userAgent: String?
    let address: String?
    let requestID: String?
    let cursorAtStart: ChangeCursor?
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
        cursorAtStart = environment.changes.cursor
        session = Mutex(CurrentSession(viewer))
    }
}

/// Whose session a request runs in. Signing in and out change it.
private struct CurrentSession {
    let viewer: RequestContext.Viewer?
    /// Made for the first statement: not every request has one.
    private(set) lazy var settings: SQL? = viewer.map {
        "select set_config('app.viewer_id', \($0.userID.description), true), \(HiddenPeople.setting(of: $0.userID))"
    }

    init(_ viewer: RequestContext.Viewer?) { self.viewer = viewer }
}
