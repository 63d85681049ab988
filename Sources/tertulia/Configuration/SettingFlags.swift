import App
import ArgumentParser
import Cryptography
import GraphQLTransport
import Logging
import Mail
import SystemPackage

/// The flags of the settings. A setting without a flag has the value of its variable, or its default.
struct SettingFlags: ParsableArguments {
    @Option(
        SettingForm(
            "DATABASE_URL", "PostgreSQL to use instead of the private cluster.",
            expected: "postgresql://user@host/database", isSecret: true, show: \.masked,
            read: { text, _ in ServiceURL(text, schemes: ["postgres", "postgresql"]) }
        ).optional(unset: "the private cluster in TERTULIA_HOME/postgres"), default: nil)
    var databaseURL: Setting<ServiceURL?>

    @OptionGroup var poolSizes: PoolFlags

    @Option(
        .number(
            "WAIT_FOR_DATABASE", 0...3600, of: "a number of seconds",
            "Seconds that serve waits for a database that cannot be reached yet."), default: 10)
    var waitForDatabase: Setting<Int>

    @Option(
        .seconds(
            "SHUTDOWN_DELAY", 0...3600,
            "Seconds from SIGTERM, when /readyz becomes 503, until connections are refused and the server drains."),
        derived: "5; 0 where standard input is a terminal")
    var shutdownDelay: DerivedSetting<Duration>

    @Option(
        .path("TERTULIA_HOME", expected: "a directory", "Directory of keys, mail and the private cluster."),
        derived: ".tertulia")
    var home: DerivedSetting<FilePath>

    @Option(.text("HOST", expected: "an address or a host name", "Address to listen on."), default: "127.0.0.1")
    var host: Setting<String>

    @Option(.number("PORT", 0...65_535, of: "a port number", "Port to listen on; 0 for any free one."), default: 8080)
    var port: Setting<Int>

    @Option(
        .text("METRICS_HOST", expected: "an address or a host name", "Address to serve metrics on."),
        default: "127.0.0.1")
    var metricsHost: Setting<String>

    @Option(
        .number("METRICS_PORT", 0...65_535, of: "a port number", "Port to serve metrics on; 0 for any free one."),
        default: Configuration.metricsPort)
    var metricsPort: Setting<Int>

    @Option(
        SettingForm(
            "PUBLIC_URL", "Address that clients use, for links in mail and images.",
            expected: "http://… or https://…", show: { $0 }, read: { text, _ in Configuration.publicURL(text) }),
        derived: "http://HOST:PORT")
    var publicURL: DerivedSetting<String>

    @Option(
        SettingForm(
            "ALLOWED_ORIGINS", "Sites whose pages may call the API: none, * or origins separated by commas.",
            expected: "none, * or a list of scheme://host[:port], separated by commas,", show: \.setting,
            read: { text, _ in CrossOriginPolicy.Origins(setting: text) }), default: .none)
    var allowedOrigins: Setting<CrossOriginPolicy.Origins>

    @Option(
        .number("TRUSTED_PROXIES", 0...16, "How many proxies stand in front, which each append to FORWARDED_HEADER."),
        default: 0)
    var trustedProxies: Setting<Int>

    @Option(
        .choice(
            "FORWARDED_HEADER", expected: "x-forwarded-for or forwarded",
            "The header in which these proxies name clients: x-forwarded-for or forwarded (RFC 7239)."),
        default: .xForwardedFor)
    var forwardedHeader: Setting<TrustedProxies.Field>

    @Option(
        .seconds(
            "IDLE_TIMEOUT", 1...86_400,
            "Seconds that a connection is kept between requests; more than a load balancer in front keeps it."),
        derived: "75; 620 with TRUSTED_PROXIES")
    var idleTimeout: DerivedSetting<Duration>

    static let production = Setting(
        .boolean("PRODUCTION", "Serve strangers: only members read the schema, unless --introspection says otherwise."),
        default: false)
    @Flag(SettingFlags.production) var production: Bool

    @Option(
        .choice(
            "INTROSPECTION", expected: "all, members or none", "Who may read the schema: all, members or none."),
        derived: "all, with PRODUCTION members")
    var introspection: DerivedSetting<Introspection>

    @Option(
        .number(
            "MAX_CONNECTIONS", 16...1_000_000,
            "Connections at most; fewer where the process may not open as many files."), default: 20_000)
    var maxConnections: Setting<Int>

    @Option(
        .number("MAX_CONNECTIONS_PER_ADDRESS", 0...1_000_000, "Connections of one address at most; 0: any number."),
        default: 1_000)
    var maxConnectionsPerAddress: Setting<Int>

    @OptionGroup var rates: RateFlags

    @Option(
        .number("IMAGE_QUOTA_MIB", 0...2047, unit: 1 << 20, "MiB that an account's images may take up."),
        default: 100 << 20)
    var imageQuota: Setting<Int>

    @Option(
        .seconds(
            "PUSH_HOLD", 0...3600, "Seconds that a push waits for the proof that its device has the event live."),
        default: .seconds(2))
    var pushHold: Setting<Duration>

    static let pushPrivateAddresses = Setting(
        .boolean(
            "PUSH_PRIVATE_ADDRESSES",
            "Send pushes to private addresses and by HTTP, too: for tests and push services on premises."),
        default: false)
    @Flag(SettingFlags.pushPrivateAddresses) var pushPrivateAddresses: Bool

    @Option(
        SettingForm(
            "PASSWORD_HASH_LOG_N", "The cost of a password's hash: the base-2 logarithm of scrypt's N, 10 to 17.",
            expected: "a number from 10 to 17", show: { "\($0.logN)" },
            read: { text, _ in Int(text).flatMap { 10...17 ~= $0 ? Scrypt.Parameters(logN: $0) : nil } }),
        default: .standard)
    var passwordHash: Setting<Scrypt.Parameters>

    @Option(.boolean("PLAYGROUND", "Whether browsers get the playground: true or false."), default: true)
    var playground: Setting<Bool>

    @Option(
        .boolean("PERSISTED_QUERIES", "Whether clients may name documents by digest: true or false."), default: true)
    var persistedQueries: Setting<Bool>

    @Option(
        SettingForm<FilePath>.path(
            "TERTULIA_TRUSTED_DOCUMENTS", expected: "a file",
            "Manifest of the documents that clients were built with: a JSON object of texts by id, or Apollo's manifest."
        ).optional(unset: "none"), default: nil)
    var trustedDocuments: Setting<FilePath?>

    static let trustedDocumentsOnly = Setting(
        .boolean("TERTULIA_TRUSTED_DOCUMENTS_ONLY", "Run nothing but the trusted documents."), default: false)
    @Flag(SettingFlags.trustedDocumentsOnly) var trustedDocumentsOnly: Bool

    @Option(
        .path("TERTULIA_SIGNING_KEYS", expected: "a file", "File of the keys that sign access tokens."),
        derived: "TERTULIA_HOME/keys.json")
    var signingKeys: DerivedSetting<FilePath>

    @Option(
        SettingForm(
            "SMTP_URL", "Mail server; without it each mail is written to a file.",
            expected: "smtp://user:password@host:587 or smtps://host", isSecret: true, show: \.service.masked,
            read: { text, _ in SMTPAddress(text) }
        ).optional(unset: "none"), default: nil)
    var smtpURL: Setting<SMTPAddress?>

    @Option(
        SettingForm<MailDelivery>.choice(
            "MAIL", expected: "smtp or files", "smtp or files; in production, files have to be asked for."
        )
        .optional(unset: "smtp where SMTP_URL is set, otherwise files"), default: nil)
    var mail: Setting<MailDelivery?>

    @Option(
        SettingForm(
            "MAIL_FROM", "Whom mails are from: Name <user@host>.", expected: "Name <user@host>",
            show: { mailbox in mailbox.name.map { "\($0) <\(mailbox.address)>" } ?? mailbox.address },
            read: { text, _ in Mailbox(text) }), derived: "Tertulia <no-reply@HOST>")
    var mailFrom: DerivedSetting<Mailbox>

    @Option(
        SettingForm<FilePath>.path(
            "APNS_KEY", expected: "a file", "File of the key (.p8) that Apple gives for push notifications."
        )
        .optional(unset: "none"), default: nil)
    var apnsKey: Setting<FilePath?>

    @Option(.text("APNS_KEY_ID", expected: "a key's id", "The key's id, 10 characters."), default: "")
    var apnsKeyID: Setting<String>

    @Option(
        .text("APNS_TEAM_ID", expected: "a team's id", "The id of the team that the key belongs to, 10 characters."),
        default: "")
    var apnsTeamID: Setting<String>

    @Option(
        .choice(
            "LOG_LEVEL", expected: Logger.Level.allCases.map(\.rawValue).joined(separator: ", "),
            "trace, debug, info, notice, warning, error or critical."), default: .info)
    var logLevel: Setting<Logger.Level>

    @Option(
        .choice("ACCESS_LOG", expected: "all or problems", "Which requests are logged: all, or problems."),
        default: .problems)
    var accessLog: Setting<AccessLog.Verbosity>

    @Option(.choice("LOG_FORMAT", expected: "text or json", "text or json."), default: .text)
    var logFormat: Setting<StructuredLogHandler.Format>
}

/// The rates among the settings; 0 stands for any number.
struct RateFlags: ParsableArguments {
    private static let standard = AccountLimits()

    private static func rate(_ variable: String, _ help: String) -> SettingForm<Int> {
        .number(variable, 0...1_000_000, help)
    }

    @Option(
        RateFlags.rate("WRITES_PER_MINUTE", "Mutations that an account may send in a minute; 0: any number."),
        default: RateFlags.standard.writes.quota)
    var writes: Setting<Int>

    @Option(
        RateFlags.rate("MESSAGES_PER_MINUTE", "Messages that an account may send in a minute."),
        derived: "half of WRITES_PER_MINUTE")
    var messages: DerivedSetting<Int>

    @Option(
        RateFlags.rate("UPLOADS_PER_MINUTE", "Images that an account may upload in a minute."),
        derived: "a quarter of WRITES_PER_MINUTE")
    var uploads: DerivedSetting<Int>

    @Option(
        RateFlags.rate("SIGN_UPS_PER_MINUTE", "Sign-ups that an address may try in a minute."),
        default: RateFlags.standard.signUps.quota)
    var signUps: Setting<Int>

    @Option(
        RateFlags.rate(
            "SIGN_INS_PER_FIVE_MINUTES", "Sign-ins, and tokens of mails, that an address may try in five minutes."),
        default: RateFlags.standard.signIns.quota)
    var signIns: Setting<Int>

    @Option(
        RateFlags.rate(
            "DEVICE_SIGN_INS_PER_FIVE_MINUTES",
            "Sign-ins that an account's own devices may try in five minutes, whatever others do."),
        default: RateFlags.standard.deviceSignIns.quota)
    var deviceSignIns: Setting<Int>

    @Option(
        RateFlags.rate("FAILURES_BEFORE_BACK_OFF", "Failed sign-ins after which a login's next tries have to wait."),
        default: RateFlags.standard.failuresBeforeBackOff)
    var failuresBeforeBackOff: Setting<Int>

    @Option(
        RateFlags.rate("ANONYMOUS_ACCOUNTS_PER_HOUR", "Anonymous accounts that an address may make in an hour."),
        default: RateFlags.standard.anonymousAccounts.quota)
    var anonymousAccounts: Setting<Int>

    @Option(
        RateFlags.rate(
            "MAILS_PER_HOUR", "Mails that an account may ask for in an hour, or an address for one recipient."),
        default: RateFlags.standard.mails.quota)
    var mails: Setting<Int>

    @Option(
        RateFlags.rate("ADDRESS_MAILS_PER_HOUR", "Mails that an address may ask for in an hour, for all recipients."),
        default: RateFlags.standard.addressMails.quota)
    var addressMails: Setting<Int>

    @Option(
        RateFlags.rate(
            "RECIPIENT_MAILS_PER_HOUR",
            "Mails with links of one kind that one recipient gets in an hour, whoever asks for them."),
        default: RateFlags.standard.recipientMails.quota)
    var recipientMails: Setting<Int>
}
