import Cryptography
import FoundationEssentials
import Glibc
import GraphQLTransport
import Logging
import Mail
import SystemPackage

/// The settings of the server. A flag goes before a variable, a variable before the default.
struct Configuration: Sendable {
    /// nil: the private cluster is used.
    let databaseURL: ServiceURL?
    let poolSizes: PoolSizes
    /// The seconds for which `serve` waits for a database that cannot be reached yet.
    let waitForDatabase: Int
    /// How long the server is not ready but still accepts connections, after it was told to stop.
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
    /// The origin of `publicURL` where it was set; nil: pages come from whatever address leads to the server.
    let publicOrigin: WebOrigin?
    let allowedOrigins: CrossOriginPolicy.Origins
    let proxies: TrustedProxies
    /// How long a connection is kept between two requests.
    let idleTimeout: Duration
    /// Whether the server's clients are the public and not its developers.
    let isProduction: Bool
    let introspection: Introspection
    let maxConnections: Int
    /// 0: no limit.
    let maxConnectionsPerAddress: Int
    let rates: RateSettings
    /// The bytes that the images of one account may take.
    let imageQuota: Int
    /// How long a push message is held for the proof that its device's session has the event live.
    let pushHold: Duration
    /// Whether clients may register push services in private networks, over HTTP too.
    let allowsPrivatePushAddresses: Bool
    let passwordHash: Scrypt.Parameters
    let hasPlayground: Bool
    /// Whether clients may send a document's digest in its place.
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
        poolSizes = PoolSizes(flags.poolSizes, &reader)
        waitForDatabase = reader.read(flags.waitForDatabase)
        shutdownDelay = reader.read(flags.shutdownDelay, default: isOnTerminal ? .zero : .seconds(5))
        let home = reader.read(flags.home, default: workingDirectory.pushing(".tertulia"))
        let host = reader.read(flags.host)
        let port = reader.read(flags.port)
        metricsHost = reader.read(flags.metricsHost)
        metricsPort = reader.read(flags.metricsPort)
        publicURL = reader.read(flags.publicURL, default: Self.address(host: host, port: port))
        publicOrigin = reader.origin(of: "PUBLIC_URL") == .standard ? nil : Self.origin(of: publicURL)
        allowedOrigins = reader.read(flags.allowedOrigins)
        proxies = TrustedProxies(count: reader.read(flags.trustedProxies), field: reader.read(flags.forwardedHeader))
        idleTimeout = reader.read(flags.idleTimeout, default: .seconds(proxies.count > 0 ? 620 : 75))
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

        (self.home, self.host, self.port) = (home, host, port)
        self.isProduction = isProduction
        settings = reader.settings
        guard reader.invalid.isEmpty else { throw InvalidConfiguration(settings: reader.invalid) }
    }

    /// 9464 is the port of OpenTelemetry exporters in Prometheus' list of default ports.
    static let metricsPort = 9464

    /// Without a slash at the end; nil for what is no address of HTTP.
    static func publicURL(_ text: String) -> String? {
        guard ServiceURL(text, schemes: ["http", "https"]) != nil, origin(of: text) != nil else { return nil }
        return text.last == "/" ? String(text.dropLast()) : text
    }

    /// The origin as browsers write it, with the host in ASCII.
    private static func origin(of publicURL: String) -> WebOrigin? { WebOrigin(publicURL)?.mapHost(DomainName.ascii) }

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
            origins: allowedOrigins, ownOrigin: publicOrigin, exposedHeaders: RateLimitFields.names + ["Retry-After"])
        settings.proxies = proxies
        settings.limits.idleTimeout = .seconds(idleTimeout.components.seconds)
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
