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
    }

    public let environment: Environment
    public let userAgent: String?
    public let address: String?
    /// Names the request in the log.
    public let requestID: String?
    private let session: CurrentSession
    private let grant: Grant?

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
        self.environment = environment
        self.userAgent = userAgent
        self.address = address
        self.requestID = requestID
        self.grant = grant
        session = CurrentSession(viewer)
    }

    /// Of the access token that the request came with; nil where it came with none.
    public var sessionID: String? { grant?.sessionID }

    /// Whether that access token expired or its session was revoked since. From memory: a revocation is known here
    /// once it has been read, at most half a second later.
    public var hasSessionEnded: Bool {
        guard let grant else { return false }
        let now = environment.now().unixMilliseconds
        return now >= grant.expiresAt || environment.revokedSessions.isRevoked(grant.sessionID, now: now)
    }

    public var viewer: Viewer? { session.viewer }

    /// Sets the viewer for the segment that it stands in, and for it alone.
    var settings: SQL? { session.settings }

    /// Sends a read at once.
    func start<S: Statement>(_ statement: S) -> PendingRows<S> {
        environment.pools.read.start(statement, settings: settings)
    }

    func requireViewer() throws -> Viewer {
        guard let viewer else { throw ExecutionError.unauthenticated }
        return viewer
    }

    /// Root fields of a mutation run one after another: what is below this one, and what follows, has the new session.
    func sign(in viewer: Viewer?) { session.replace(with: viewer) }
}

extension PendingRows where S: Statement, S.Output: Sendable {
    /// For a field: the rows, awaited when the level is.
    var pending: Pending<[S.Output]> { Pending { try await value } }
}

/// Whose session a request runs in. Signing in and out change it.
private final class CurrentSession: Sendable {
    private struct State {
        let viewer: RequestContext.Viewer?
        let settings: SQL?

        init(_ viewer: RequestContext.Viewer?) {
            self.viewer = viewer
            settings = viewer.map { "select set_config('app.viewer_id', \($0.userID.description), true)" }
        }
    }

    private let state: Mutex<State>

    init(_ viewer: RequestContext.Viewer?) { state = Mutex(State(viewer)) }

    var viewer: RequestContext.Viewer? { state.withLock { $0.viewer } }
    var settings: SQL? { state.withLock { $0.settings } }

    func replace(with viewer: RequestContext.Viewer?) { state.withLock { $0 = State(viewer) } }
}
