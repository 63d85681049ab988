import GraphQL
import NIOCore

/// The settings of a `GraphQLServer`.
public struct ServerSettings: Sendable {
    public var host = "127.0.0.1"
    /// The port to listen on; 0 takes any free port.
    public var port = 8080
    /// The time from the order to stop, after which `/readyz` is 503, until no connection is accepted any more and the
    /// server drains. Load balancers notice in that time.
    public var shutdownDelay = Duration.zero
    /// The path of the GraphQL endpoint.
    public var path = "/graphql" {
        didSet { eventStreamPath = path + "/stream" }
    }
    /// The path of graphql-sse's single connection mode.
    private(set) var eventStreamPath = "/graphql/stream"
    public var limits = HTTPLimits()
    public var streams = StreamLimits()
    /// The limits of uploads; nil refuses multipart requests.
    public var uploads: UploadLimits? = UploadLimits()
    /// How many operations run at once, and which may wait; nil admits every operation.
    public var admission: AdmissionLimits? = AdmissionLimits()
    /// The limits of a single operation.
    public var queryLimits = QueryLimits()
    public var crossOrigin = CrossOriginPolicy()
    public var proxies = TrustedProxies()
    /// The greatest number of open connections. It is lower where the process may not open as many file descriptors.
    public var connections = 20_000
    /// The greatest number of open connections of one client address, an IPv6 client being its /64 network; 0 sets no
    /// limit. Behind trusted proxies it limits the client's requests under way instead.
    public var connectionsPerAddress = 1_000
    public var isPlaygroundEnabled = true
    /// Whether `/schema.graphql` is served.
    public var isSchemaPublic = true
    /// Whether this server also serves `/metrics`. `MetricsServer` serves it on a port of its own.
    public var servesMetrics = true
    /// Which requests are logged.
    public var accessLog = AccessLog.Verbosity.problems
    /// The limits of the document cache: a number of documents, and the bytes of memory that they and their plans take.
    /// A document's tree and plan take about 30 times the bytes of its text.
    public var documentCache = (count: 10_000, bytes: 24 << 20)
    /// The limits of the cache of automatic persisted queries: a number of texts, and the bytes of memory that they
    /// take; nil refuses such queries.
    public var persistedQueries: (count: Int, bytes: Int)? = (count: 10_000, bytes: 8 << 20)
    /// Whether the server executes trusted documents only.
    public var runsOnlyTrustedDocuments = false

    public init() {}
}

/// The limits of the memory and the time that one client can take.
public struct HTTPLimits: Sendable {
    /// The greatest length of a request's body, in bytes.
    public var bodySize = 256 << 10
    /// The greatest length of a document, in bytes.
    public var documentSize = 64 << 10
    public var documentTokens = 2_000
    /// The greatest length of all header fields together, in bytes.
    public var headerSize = 16 << 10
    public var headerCount = 100
    /// The greatest length of one chunk's extensions, in bytes. The server uses no extension.
    public var chunkExtensionSize = 4 << 10
    /// The greatest length of the extensions of all chunks of a body, in bytes.
    public var chunkExtensionsSize = 16 << 10
    /// How deeply a body's JSON may nest.
    public var jsonDepth = 64
    /// The time from a request's first byte to the end of its head.
    public var headerTimeout = TimeAmount.seconds(10)
    /// The time from the end of the head to the end of the body.
    public var bodyTimeout = TimeAmount.seconds(30)
    /// The time between two requests of a connection. It should be longer than that of a load balancer in front, which
    /// otherwise sends a request on a connection that the server closes. Many balancers have 60 seconds.
    public var idleTimeout = TimeAmount.seconds(75)
    /// The time from the end of the body to the answer.
    public var executionTimeout = TimeAmount.seconds(3)
    /// The time for which a client may leave an answer unread.
    public var writeTimeout = TimeAmount.seconds(10)
    /// The time that requests in flight have to end after the server is told to stop.
    public var drainTimeout = TimeAmount.seconds(25)

    public init() {}
}
