import ArgumentParser

/// The flags of the settings. A setting without a flag has the value of its variable, or its default.
struct SettingFlags: ParsableArguments {
    @Option(name: .customLong("database-url"), help: "PostgreSQL to use instead of the private cluster.")
    var databaseURL: String?

    @Option(help: "Seconds that serve waits for a database that cannot be reached yet.")
    var waitForDatabase: String?

    @Option(help: "Directory of keys, mail and the private cluster.")
    var home: String?

    @Option(help: "Address to listen on.")
    var host: String?

    @Option(help: "Port to listen on; 0 for any free one.")
    var port: String?

    @Option(help: "Address to serve metrics on.")
    var metricsHost: String?

    @Option(help: "Port to serve metrics on; 0 for any free one.")
    var metricsPort: String?

    @Option(name: .customLong("public-url"), help: "Address that clients use, for links in mail and images.")
    var publicURL: String?

    @Option(help: "Sites whose pages may call the API: none, * or origins separated by commas.")
    var allowedOrigins: String?

    @Option(help: "How many proxies stand in front and append to X-Forwarded-For.")
    var trustedProxies: String?

    @Flag(help: "Serve strangers: only members read the schema, unless --introspection says otherwise.")
    var production = false

    @Option(help: "Who may read the schema: all, members or none.")
    var introspection: String?

    @Option(help: "Connections at most; fewer where the process may not open as many files.")
    var maxConnections: String?

    @Option(help: "Connections of one address at most; 0: any number.")
    var maxConnectionsPerAddress: String?

    @OptionGroup var rates: RateFlags

    @Option(name: .customLong("image-quota-mib"), help: "MiB that an account's images may take up.")
    var imageQuotaMiB: String?

    @Option(help: "Whether clients may name documents by digest: true or false.")
    var persistedQueries: String?

    @Option(help: "File of documents that clients name by documentId: a JSON object of texts by id.")
    var trustedDocuments: String?

    @Flag(help: "Run nothing but the trusted documents.")
    var trustedDocumentsOnly = false

    @Option(help: "File of the keys that sign access tokens.")
    var signingKeys: String?

    @Option(name: .customLong("smtp-url"), help: "Mail server; without it each mail is written to a file.")
    var smtpURL: String?

    @Option(help: "smtp or files; in production, files have to be asked for.")
    var mail: String?

    @Option(name: .customLong("apns-key"), help: "File of the key (.p8) that Apple gives for push notifications.")
    var apnsKey: String?

    @Option(name: .customLong("apns-key-id"), help: "The key's id, 10 characters.")
    var apnsKeyID: String?

    @Option(name: .customLong("apns-team-id"), help: "The id of the team that the key belongs to, 10 characters.")
    var apnsTeamID: String?

    @Option(help: "Seconds that a push waits for the proof that its device has the event live.")
    var pushHold: String?

    @Flag(help: "Send pushes to private addresses and by HTTP, too: for tests and push services on premises.")
    var pushPrivateAddresses = false

    @Option(
        name: .customLong("password-hash-log-n"),
        help: "The cost of a password's hash: the base-2 logarithm of scrypt's N, 10 to 17.")
    var passwordHashLogN: String?

    @Option(help: "Whom mails are from: Name <user@host>.")
    var mailFrom: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical.")
    var logLevel: String?

    @Option(help: "Which requests are logged: all, or problems.")
    var accessLog: String?

    @Option(help: "text or json.")
    var logFormat: String?
}
