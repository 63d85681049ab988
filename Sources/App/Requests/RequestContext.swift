import GraphQL
import Postgres

/// What one request brings to its resolvers. Every statement of a request goes through it, so that none runs without
/// the viewer set.
public struct RequestContext: Sendable {
    public struct Viewer: Sendable, Equatable {
        public let userID: UUID
        public let sessionID: UUID
    }

    public let environment: Environment
    public let viewer: Viewer?
    public let userAgent: String?
    public let address: String?
    /// Sets the viewer for the segment that it stands in, and for it alone.
    let settings: SQL?

    public init(environment: Environment, viewer: Viewer?, userAgent: String? = nil, address: String? = nil) {
        self.environment = environment
        self.viewer = viewer
        self.userAgent = userAgent
        self.address = address
        settings = viewer.map { "select set_config('app.viewer_id', \($0.userID.description), true)" }
    }

    /// Sends a read at once.
    func start<S: Statement>(_ statement: S) -> PendingRows<S> {
        environment.pools.read.start(statement, settings: settings)
    }

    func requireViewer() throws -> Viewer {
        guard let viewer else { throw ExecutionError.unauthenticated }
        return viewer
    }

    /// The same request after it has signed in or out.
    func signedIn(as viewer: Viewer?) -> RequestContext {
        RequestContext(environment: environment, viewer: viewer, userAgent: userAgent, address: address)
    }
}

extension PendingRows where S: Statement, S.Output: Sendable {
    /// For a field: the rows, awaited when the level is.
    var pending: Pending<[S.Output]> { Pending { try await value } }
}
