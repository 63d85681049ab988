import Auth
import ChangeFeed
import Crypto
import Cryptography
import Logging
import Postgres

/// The domain's dependencies, the clock included, built once by the composition root. A class, because every request
/// and every socket has a reference to it.
public final class Environment: Sendable {
    private let parts: EnvironmentParts

    public init(
        pools: Pools, standbys: StandbySet? = nil, tokens: AccessTokens, secrets: ServerSecrets,
        passwords: PasswordHasher, limits: AccountLimits = AccountLimits(),
        pushEndpointRules: PushEndpointRules = PushEndpointRules(),
        publicURL: String, logger: Logger, now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        var parts = EnvironmentParts(
            pools: pools, tokens: tokens, secrets: secrets, passwords: passwords, limits: limits, publicURL: publicURL,
            logger: logger, now: now)
        parts.standbys = standbys
        parts.pushEndpointRules = pushEndpointRules
        self.parts = parts
    }

    private init(_ parts: EnvironmentParts) { self.parts = parts }

    /// A copy with changes.
    func with(_ change: (inout EnvironmentParts) -> Void) -> Environment {
        var parts = parts
        change(&parts)
        return Environment(parts)
    }

    public var pools: Pools { parts.pools }
    /// nil: all reads run on the primary.
    public var standbys: StandbySet? { parts.standbys }
    public var tokens: AccessTokens { parts.tokens }
    public var verifiedTokens: VerifiedTokenCache { parts.verifiedTokens }
    public var revokedSessions: RevokedSessions { parts.revokedSessions }
    public var refreshTokenKey: RefreshTokenKey { parts.refreshTokenKey }
    public var oneTimeTokenKey: OneTimeTokenKey { parts.oneTimeTokenKey }
    var deviceTokenKey: DeviceTokenKey { parts.deviceTokenKey }
    public var inputHashKey: HMACSHA256 { parts.inputHashKey }
    public var passwords: PasswordHasher { parts.passwords }
    public var passwordRules: PasswordRules { parts.passwordRules }
    public var limits: AccountLimits { parts.limits }
    var writeRate: AccountRate { parts.writeRate }
    var messageRate: AccountRate { parts.messageRate }
    var uploadRate: AccountRate { parts.uploadRate }
    public var imageSignature: ImageSignature { parts.imageSignature }
    /// The key that identifies this server to push services (RFC 8292).
    public var applicationServerKey: P256.Signing.PrivateKey { parts.applicationServerKey }
    public var pushEndpointRules: PushEndpointRules { parts.pushEndpointRules }
    /// The address of the server for clients, without a slash at its end.
    public var publicURL: String { parts.publicURL }
    public var logger: Logger { parts.logger }
    public var changes: ChangeHub { parts.changes }
    public var changeLog: ChangeLog {
        ChangeLog(hub: parts.changes, pool: parts.pools.worker, subjectKind: CommentSubject.kind)
    }
    public var activity: ActivityMarks { parts.activity }
    public var pushReceipts: PushReceipts { parts.pushReceipts }
    public var backgroundFigures: BackgroundFigures { parts.backgroundFigures }
    public var now: @Sendable () -> Timestamp { parts.now }

    /// Seconds since 1970, the unit of tokens.
    var unixSeconds: Int64 { now().unixMilliseconds / 1000 }

    func newID() -> UUID {
        var generator = SystemRandomNumberGenerator()
        return UUID.v7(now: now().unixMilliseconds, using: &generator)
    }
}

/// The stored properties of an `Environment`, which `Environment.with` copies and changes.
struct EnvironmentParts: Sendable {
    var pools: Pools
    var standbys: StandbySet?
    var tokens: AccessTokens
    var verifiedTokens: VerifiedTokenCache
    var revokedSessions: RevokedSessions
    var refreshTokenKey: RefreshTokenKey
    var oneTimeTokenKey: OneTimeTokenKey
    var deviceTokenKey: DeviceTokenKey
    var inputHashKey: HMACSHA256
    var passwords: PasswordHasher
    var passwordRules: PasswordRules
    var limits: AccountLimits
    var writeRate: AccountRate
    var messageRate: AccountRate
    var uploadRate: AccountRate
    var imageSignature: ImageSignature
    var applicationServerKey: P256.Signing.PrivateKey
    var pushEndpointRules = PushEndpointRules()
    var publicURL: String
    var logger: Logger
    var changes = ChangeHub()
    var activity = ActivityMarks()
    var pushReceipts = PushReceipts()
    var backgroundFigures = BackgroundFigures()
    var now: @Sendable () -> Timestamp

    fileprivate init(
        pools: Pools, tokens: AccessTokens, secrets: ServerSecrets, passwords: PasswordHasher,
        limits: AccountLimits, publicURL: String, logger: Logger,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.pools = pools
        self.tokens = tokens
        verifiedTokens = VerifiedTokenCache(tokens)
        revokedSessions = RevokedSessions()
        refreshTokenKey = RefreshTokenKey(secrets)
        oneTimeTokenKey = OneTimeTokenKey(secrets)
        deviceTokenKey = DeviceTokenKey(secrets)
        inputHashKey = HMACSHA256(key: secrets.idempotency)
        applicationServerKey = Environment.applicationServerKey(secrets.idempotency)
        self.passwords = passwords
        passwordRules = PasswordRules()
        self.limits = limits
        writeRate = AccountRate(limits.writes)
        messageRate = AccountRate(limits.messages)
        uploadRate = AccountRate(limits.uploads)
        imageSignature = ImageSignature(key: secrets.imageSignature)
        self.publicURL = publicURL
        self.logger = logger
        self.now = now
    }
}

extension Environment {
    /// Logs a failure of background work that goes on. A cancelled task ends with the server and has not failed.
    func warn(_ message: Logger.Message, _ error: any Error) {
        if error is CancellationError { return }
        logger.warning(message, metadata: ["error": "\(error.textForLog)"])
    }
}

extension Environment {
    /// Keeps the subscriptions of a client connection from sending changes while a new operation on the same connection
    /// is authenticated.
    /// - Parameter isResumed: whether the client resumes all subscriptions of an earlier client connection.
    /// - Returns: a function that lets the subscriptions send changes again.
    public func holdChanges(on connection: UInt64, isResumed: Bool) -> @Sendable () -> Void {
        let slot = changes.sequencers.slot(on: connection, isResumed: isResumed)
        return { slot.leave() }
    }
}
