import Cryptography
import FoundationEssentials
import Glibc
import GraphQLTransport
import Logging
import Mail
import SystemPackage

/// The settings of the server. A flag overrides an environment variable, and a variable overrides the default.
struct Configuration: Sendable {
    /// nil: the private cluster is used.
    let databaseURL: ServiceURL?
    /// The standbys that answer reads.
    let replicaURLs: [ServiceURL]
    let poolSizes: PoolSizes
    /// True if mutations that wait for a connection share a durable commit.
    let sharesCommits: Bool
    /// The seconds for which `serve` waits for a database that cannot be reached yet.
    let waitForDatabase: Int
    /// How long the server, although no longer ready, accepts connections after it was told to stop.
    let shutdownDelay: Duration
    /// Absolute, so that it means the same in every process.
    let home: FilePath
    let host: String
    let port: Int
    /// The address on which metrics are served, apart from the API's.
    let metricsHost: String
    /// 0: any free port.
    let metricsPort: Int
    let publicURL: String
    let allowedOrigins: CrossOriginPolicy.Origins
    /// The number of proxies in front that append to X-Forwarded-For.
    let trustedProxies: Int
    /// True if the server's clients are the public and not its developers.
    let isProduction: Bool
    let introspection: Introspection
    let maxConnections: Int
    /// 0: no limit.
    let maxConnectionsPerAddress: Int
    let rates: RateSettings
    /// The bytes that the images of one account may take.
    let imageQuota: Int
    /// How long a push message waits for its device's receipt of the live change, which makes the message needless.
    let pushHold: Duration
    /// True if clients may register push services in private networks, over HTTP too.
    let allowsPrivatePushAddresses: Bool
    let passwordHash: Scrypt.Parameters
    let hasPlayground: Bool
    /// True if clients may send a document's digest in place of the document.
    let takesPersistedQueries: Bool
    /// The manifest of the documents that clients name by id; nil: no documents.
    let trustedDocuments: FilePath?
    let runsOnlyTrustedDocuments: Bool
    let signingKeys: FilePath
    /// nil: mail goes to files.
    let smtp: SMTPAddress?
    let mail: MailDelivery?
    let mailFrom: Mailbox
    /// nil: nothing is sent to Apple's devices.
    let apnsKey: FilePath?
    let apnsKeyID: String
    let apnsTeamID: String
    let logLevel: Logger.Level
    /// The requests that the log records.
    let accessLog: AccessLog.Verbosity
    let logFormat: StructuredLogHandler.Format
    let tracing: TracingSettings
    /// The duration from which an operation is logged as slow; nil: none is.
    let slowOperation: Duration?

    /// Every setting with its value and origin, in the order of the documentation.
    let settings: [ReadSetting]

    /// - Parameter isOnTerminal: whether standard input is a terminal.
    /// - Throws: `InvalidConfiguration` with all invalid settings.
    init(
        _ flags: SettingFlags, environment: [String: String] = ProcessInfo.processInfo.environment,
        workingDirectory: FilePath = FilePath(FileManager.default.currentDirectoryPath),
        isOnTerminal: Bool = isatty(STDIN_FILENO) == 1
    ) throws(InvalidConfiguration) {
        var reader = SettingReader(environment: environment, workingDirectory: workingDirectory)

        databaseURL = reader.read(flags.databaseURL)
        replicaURLs = reader.read(flags.replicaURLs)
        poolSizes = PoolSizes(flags.poolSizes, &reader)
        sharesCommits = reader.read(flags.poolSizes.groupCommit)
        waitForDatabase = reader.read(flags.waitForDatabase)
        shutdownDelay = reader.read(flags.shutdownDelay, default: isOnTerminal ? .zero : .seconds(5))
        let home = reader.read(flags.home, default: workingDirectory.pushing(".tertulia"))
        let host = reader.read(flags.host)
        let port = reader.read(flags.port)
        metricsHost = reader.read(flags.metricsHost)
        metricsPort = reader.read(flags.metricsPort)
        publicURL = reader.read(flags.publicURL, default: Self.address(host: host, port: port))
        allowedOrigins = reader.read(flags.allowedOrigins)
        trustedProxies = reader.read(flags.trustedProxies)
        let isProduction = reader.read(SettingFlags.production, flag: flags.production)
        introspection = reader.read(flags.introspection, default: isProduction ? .members : .all)
        maxConnections = reader.read(flags.maxConnections)
        maxConnectionsPerAddress = reader.read(flags.maxConnectionsPerAddress)
        rates = RateSettings(flags.rates, &reader)
        imageQuota = reader.read(flags.imageQuota)
        pushHold = reader.read(flags.pushHold)
        allowsPrivatePushAddresses = reader.read(
            SettingFlags.pushPrivateAddresses, flag: flags.pushPrivateAddresses)
        passwordHash = reader.read(flags.passwordHash)
        hasPlayground = reader.read(flags.playground)
        takesPersistedQueries = reader.read(flags.persistedQueries)
        trustedDocuments = reader.read(flags.trustedDocuments)
        runsOnlyTrustedDocuments = reader.read(SettingFlags.trustedDocumentsOnly, flag: flags.trustedDocumentsOnly)
        signingKeys = reader.read(flags.signingKeys, default: home.appending("keys.json"))
        smtp = reader.read(flags.smtpURL)
        mail = reader.read(flags.mail)
        mailFrom = reader.read(flags.mailFrom, default: Self.mailFrom(publicURL))
        apnsKey = reader.read(flags.apnsKey)
        apnsKeyID = reader.read(flags.apnsKeyID)
        apnsTeamID = reader.read(flags.apnsTeamID)
        logLevel = reader.read(flags.logLevel)
        accessLog = reader.read(flags.accessLog)
        logFormat = reader.read(flags.logFormat)
        tracing = TracingSettings(flags.observability, &reader)
        let slowOperation = reader.read(flags.observability.slowOperation)
        self.slowOperation = slowOperation == 0 ? nil : .milliseconds(slowOperation)

        (self.home, self.host, self.port) = (home, host, port)
        self.isProduction = isProduction
        settings = reader.settings
        guard reader.invalid.isEmpty else { throw InvalidConfiguration(settings: reader.invalid) }
    }

    /// 9464 is the port of OpenTelemetry exporters in Prometheus' list of default ports.
    static let metricsPort = 9464

    /// The URL without a slash at its end; nil for a text that is no URL of HTTP.
    static func publicURL(_ text: String) -> String? {
        guard ServiceURL(text, schemes: ["http", "https"]) != nil else { return nil }
        return text.last == "/" ? String(text.dropLast()) : text
    }

    private static func mailFrom(_ publicURL: String) -> Mailbox {
        let host = publicURL.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" && $0 != ":" && $0 != "[" }
        return Mailbox("Tertulia <no-reply@\(host)>") ?? .unnamed
    }

    var serverSettings: ServerSettings {
        var settings = ServerSettings()
        settings.host = host
        settings.port = port
        settings.shutdownDelay = shutdownDelay
        settings.crossOrigin = CrossOriginPolicy(
            origins: allowedOrigins, additionalHeaders: [PositionField.name],
            exposedHeaders: RateLimitFields.names + ["Retry-After", PositionField.name])
        settings.trustedProxies = trustedProxies
        settings.accessLog = accessLog
        // Metrics are served on an address of their own.
        settings.servesMetrics = false
        settings.connections = maxConnections
        settings.connectionsPerAddress = maxConnectionsPerAddress
        settings.isSchemaPublic = introspection == .all
        settings.isPlaygroundEnabled = hasPlayground
        if !takesPersistedQueries { settings.persistedQueries = nil }
        settings.runsOnlyTrustedDocuments = runsOnlyTrustedDocuments
        return settings
    }

    /// RFC 3986, section 3.2.2: an IPv6 address is written in brackets.
    static func address(host: String, port: Int) -> String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
