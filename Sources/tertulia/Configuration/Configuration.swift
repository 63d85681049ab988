import Cryptography
import FoundationEssentials
import GraphQLTransport
import Logging
import Mail
import SystemPackage

/// The settings of the server. A flag goes before a variable, a variable before the default.
struct Configuration: Sendable {
    /// nil: the private cluster is used.
    let databaseURL: ServiceURL?
    /// The seconds for which `serve` waits for a database that cannot be reached yet.
    let waitForDatabase: Int
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

    /// - Throws: `InvalidConfiguration` with all invalid settings.
    init(
        _ flags: SettingFlags, environment: [String: String] = ProcessInfo.processInfo.environment,
        workingDirectory: FilePath = FilePath(FileManager.default.currentDirectoryPath)
    ) throws(InvalidConfiguration) {
        var reader = SettingReader(environment: environment)

        databaseURL = reader.read(
            "DATABASE_URL", flags.databaseURL, default: nil, expected: "postgresql://user@host/database", secret: true,
            show: { $0?.masked ?? "the private cluster in TERTULIA_HOME/postgres" },
            as: { Self.databaseURL($0).map(Optional.some) })
        waitForDatabase = reader.read(
            "WAIT_FOR_DATABASE", flags.waitForDatabase, default: 10, expected: "a number of seconds from 0 to 3600",
            show: { "\($0)" }, as: { Int($0).flatMap { 0...3600 ~= $0 ? $0 : nil } })
        let home = reader.read(
            "TERTULIA_HOME", flags.home, default: workingDirectory.pushing(".tertulia"), expected: "a directory",
            show: \.string, as: { $0.isEmpty ? nil : workingDirectory.pushing(FilePath($0)).lexicallyNormalized() })
        let host = reader.read("HOST", flags.host, default: "127.0.0.1", expected: "an address or a host name")
        let port = reader.read(
            "PORT", flags.port, default: 8080, expected: "a port number from 0 to 65535",
            show: { "\($0)" }, as: { Int($0).flatMap { 0...65_535 ~= $0 ? $0 : nil } })
        metricsHost = reader.read(
            "METRICS_HOST", flags.metricsHost, default: "127.0.0.1", expected: "an address or a host name")
        metricsPort = reader.read(
            "METRICS_PORT", flags.metricsPort, default: Self.metricsPort, expected: "a port number from 0 to 65535",
            show: { "\($0)" }, as: { Int($0).flatMap { 0...65_535 ~= $0 ? $0 : nil } })
        publicURL = reader.read(
            "PUBLIC_URL", flags.publicURL, default: Self.address(host: host, port: port),
            expected: "http://… or https://…", show: { $0 }, as: Self.publicURL)
        allowedOrigins = reader.read(
            "ALLOWED_ORIGINS", flags.allowedOrigins, default: .none,
            expected: "none, * or a list of scheme://host[:port], separated by commas,",
            show: \.setting, as: CrossOriginPolicy.Origins.init(setting:))
        trustedProxies = reader.read(
            "TRUSTED_PROXIES", flags.trustedProxies, default: 0, expected: "a number from 0 to 16",
            show: { "\($0)" }, as: { Int($0).flatMap { 0...16 ~= $0 ? $0 : nil } })
        let isProduction = reader.read(
            "PRODUCTION", flags.production ? "true" : nil, default: false, expected: "true or false",
            show: { "\($0)" }, as: { Bool($0.lowercased()) })
        introspection = reader.read(
            "INTROSPECTION", flags.introspection, default: isProduction ? .members : .all,
            expected: "all, members or none", show: \.rawValue, as: { Introspection(rawValue: $0.lowercased()) })
        maxConnections = reader.read(
            "MAX_CONNECTIONS", flags.maxConnections, default: 20_000, expected: "a number from 16 to 1000000",
            show: { "\($0)" }, as: { Int($0).flatMap { 16...1_000_000 ~= $0 ? $0 : nil } })
        maxConnectionsPerAddress = reader.read(
            "MAX_CONNECTIONS_PER_ADDRESS", flags.maxConnectionsPerAddress, default: 1_000,
            expected: "a number from 0 to 1000000", show: { "\($0)" },
            as: { Int($0).flatMap { 0...1_000_000 ~= $0 ? $0 : nil } })
        rates = RateSettings(flags.rates, &reader)
        imageQuota = reader.read(
            "IMAGE_QUOTA_MIB", flags.imageQuotaMiB, default: 100 << 20, expected: "a number from 0 to 2047",
            show: { "\($0 >> 20)" }, as: { Int($0).flatMap { 0...2047 ~= $0 ? $0 << 20 : nil } })
        pushHold = reader.read(
            "PUSH_HOLD", flags.pushHold, default: .seconds(2), expected: "a number of seconds from 0 to 3600",
            show: { "\($0.components.seconds)" },
            as: { Int($0).flatMap { 0...3600 ~= $0 ? Duration.seconds($0) : nil } })
        allowsPrivatePushAddresses = reader.read(
            "PUSH_PRIVATE_ADDRESSES", flags.pushPrivateAddresses ? "true" : nil, default: false,
            expected: "true or false", show: { "\($0)" }, as: { Bool($0.lowercased()) })
        passwordHash = reader.read(
            "PASSWORD_HASH_LOG_N", flags.passwordHashLogN, default: .standard, expected: "a number from 10 to 17",
            show: { "\($0.logN)" },
            as: { Int($0).flatMap { 10...17 ~= $0 ? Scrypt.Parameters(logN: $0) : nil } })
        takesPersistedQueries = reader.read(
            "PERSISTED_QUERIES", flags.persistedQueries, default: true, expected: "true or false",
            show: { "\($0)" }, as: { Bool($0.lowercased()) })
        trustedDocuments = reader.read(
            "TERTULIA_TRUSTED_DOCUMENTS", flags.trustedDocuments, default: nil, expected: "a file",
            show: { $0?.string ?? "none" },
            as: { $0.isEmpty ? nil : .some(workingDirectory.pushing(FilePath($0)).lexicallyNormalized()) })
        runsOnlyTrustedDocuments = reader.read(
            "TERTULIA_TRUSTED_DOCUMENTS_ONLY", flags.trustedDocumentsOnly ? "true" : nil, default: false,
            expected: "true or false", show: { "\($0)" }, as: { Bool($0.lowercased()) })
        signingKeys = reader.read(
            "TERTULIA_SIGNING_KEYS", flags.signingKeys, default: home.appending("keys.json"), expected: "a file",
            show: \.string, as: { $0.isEmpty ? nil : workingDirectory.pushing(FilePath($0)).lexicallyNormalized() })
        smtp = reader.read(
            "SMTP_URL", flags.smtpURL, default: nil, expected: "smtp://user:password@host:587 or smtps://host",
            secret: true, show: { $0?.service.masked ?? "none" },
            as: { SMTPAddress($0).map(Optional.some) })
        mail = reader.read(
            "MAIL", flags.mail, default: nil, expected: "smtp or files",
            show: { $0?.rawValue ?? "smtp where SMTP_URL is set, otherwise files" },
            as: { MailDelivery(rawValue: $0.lowercased()).map(Optional.some) })
        mailFrom = reader.read(
            "MAIL_FROM", flags.mailFrom, default: Self.mailFrom(publicURL), expected: "Name <user@host>",
            show: { mailbox in mailbox.name.map { "\($0) <\(mailbox.address)>" } ?? mailbox.address },
            as: Mailbox.init(_:))
        apnsKey = reader.read(
            "APNS_KEY", flags.apnsKey, default: nil, expected: "a file", show: { $0?.string ?? "none" },
            as: { $0.isEmpty ? nil : .some(workingDirectory.pushing(FilePath($0)).lexicallyNormalized()) })
        apnsKeyID = reader.read("APNS_KEY_ID", flags.apnsKeyID, default: "", expected: "a key's id")
        apnsTeamID = reader.read("APNS_TEAM_ID", flags.apnsTeamID, default: "", expected: "a team's id")
        logLevel = reader.read(
            "LOG_LEVEL", flags.logLevel, default: .info,
            expected: Logger.Level.allCases.map(\.rawValue).joined(separator: ", "),
            show: \.rawValue, as: { Logger.Level(rawValue: $0.lowercased()) })
        accessLog = reader.read(
            "ACCESS_LOG", flags.accessLog, default: .problems, expected: "all or problems",
            show: \.rawValue, as: { AccessLog.Verbosity(rawValue: $0.lowercased()) })
        logFormat = reader.read(
            "LOG_FORMAT", flags.logFormat, default: .text, expected: "text or json",
            show: \.rawValue, as: { StructuredLogHandler.Format(rawValue: $0.lowercased()) })

        (self.home, self.host, self.port) = (home, host, port)
        self.isProduction = isProduction
        settings = reader.settings
        guard reader.invalid.isEmpty else { throw InvalidConfiguration(settings: reader.invalid) }
    }

    /// 9464 is the port of OpenTelemetry exporters in Prometheus' list of default ports.
    static let metricsPort = 9464

    private static func databaseURL(_ text: String) -> ServiceURL? {
        ServiceURL(text, schemes: ["postgres", "postgresql"])
    }

    private static func publicURL(_ text: String) -> String? {
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
        settings.crossOrigin = CrossOriginPolicy(
            origins: allowedOrigins, exposedHeaders: RateLimitFields.names + ["Retry-After"])
        settings.trustedProxies = trustedProxies
        settings.accessLog = accessLog
        // Metrics are served on an address of their own.
        settings.servesMetrics = false
        settings.connections = maxConnections
        settings.connectionsPerAddress = maxConnectionsPerAddress
        settings.isSchemaPublic = introspection == .all
        if !takesPersistedQueries { settings.persistedQueries = nil }
        settings.runsOnlyTrustedDocuments = runsOnlyTrustedDocuments
        return settings
    }

    /// RFC 3986, section 3.2.2: an IPv6 address is written in brackets.
    static func address(host: String, port: Int) -> String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
