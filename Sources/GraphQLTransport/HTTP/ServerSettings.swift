import GraphQL
import NIOCore

/// The settings of a server. The defaults are the documented ones.
public struct ServerSettings: Sendable {
    public var host = "127.0.0.1"
    /// 0 takes any free port.
    public var port = 8080
    /// The path of the GraphQL endpoint.
    public var path = "/graphql" {
        didSet { eventStreamPath = path + "/stream" }
    }
    /// The path of single connection mode.
    private(set) var eventStreamPath = "/graphql/stream"
    public var limits = HTTPLimits()
    public var streams = StreamLimits()
    /// nil takes no multipart requests.
    public var uploads: UploadLimits? = UploadLimits()
    /// The limits of a single operation.
    public var queryLimits = QueryLimits()
    public var crossOrigin = CrossOriginPolicy()
    /// How many proxies stand in front and append to `X-Forwarded-For`; with 0 the header is ignored.
    public var trustedProxies = 0
    /// Connections at most; fewer where the process may not open as many descriptors.
    public var connections = 20_000
    /// Connections of one address at most, of IPv6 one /64; behind trusted proxies the requests under way for one. 0: any
    /// number.
    public var connectionsPerAddress = 1_000
    public var isPlaygroundEnabled = true
    /// Whether `/schema.graphql` is served.
    public var isSchemaPublic = true
    /// Whether `/metrics` is served beside the endpoint; `MetricsServer` serves it apart.
    public var servesMetrics = true
    /// Which requests the log tells of.
    public var accessLog = AccessLog.Verbosity.problems
    /// How many documents the cache holds at most, and the bytes of memory that they take with all that was made of
    /// them. A document's tree and plan weigh about 30 times its text.
    public var documentCache = (count: 10_000, bytes: 24 << 20)
    /// The same of the texts that clients name by digest; nil takes no automatic persisted queries.
    public var persistedQueries: (count: Int, bytes: Int)? = (count: 10_000, bytes: 8 << 20)
    /// Whether nothing runs but the trusted documents.
    public var runsOnlyTrustedDocuments = false

    public init() {}
}

/// Bounds of what one client can make the server hold or wait for.
public struct HTTPLimits: Sendable {
    /// Bytes of a request's body.
    public var bodySize = 256 << 10
    /// Bytes of a document.
    public var documentSize = 64 << 10
    public var documentTokens = 2_000
    /// Bytes of all header fields together.
    public var headerSize = 16 << 10
    public var headerCount = 100
    /// Bytes of one chunk's extensions, and of all of a body's; no extension has a meaning here.
    public var chunkExtensionSize = 4 << 10
    public var chunkExtensionsSize = 16 << 10
    /// How deeply a body's JSON may nest.
    public var jsonDepth = 64
    /// From a request's first byte to the end of its head.
    public var headerTimeout = TimeAmount.seconds(10)
    /// From the end of the head to the end of the body.
    public var bodyTimeout = TimeAmount.seconds(30)
    /// Between two requests of a connection.
    public var idleTimeout = TimeAmount.seconds(60)
    /// From the end of the body to the answer.
    public var executionTimeout = TimeAmount.seconds(3)
    /// How long a client may leave an answer unread.
    public var writeTimeout = TimeAmount.seconds(10)
    /// How long requests in flight may go on after the server is told to stop.
    public var drainTimeout = TimeAmount.seconds(25)

    public init() {}
}
