import App
import Auth
import GraphQL
import GraphQLTransport
import HTTPTypes
import Hummingbird
import Logging
import Mail
import Postgres
import Push
import ServiceLifecycle
import SystemPackage

/// The composition root: the domain's environment, the transport, and what runs beside them.
struct Server {
    private let configuration: Configuration
    private let pools: ServerPools
    private let listening: ConnectionConfiguration
    private let environment: App.Environment
    private let keysFileReader: KeysFileReader
    private let logger: Logger
    private let pushClient = PushClient()
    private let push: PushDelivery
    private let audit = CounterAuditFigures()

    init(_ configuration: Configuration, database: Database, logger: Logger) throws {
        self.configuration = configuration
        self.logger = logger
        try Directory.make(configuration.home, mode: 0o700, owner: .current, parents: 0o755)
        let now = Timestamp.now().unixMilliseconds / 1000
        let keysFile = SigningKeysFile(path: configuration.signingKeys.string)
        let keys = try keysFile.loadOrCreate(now: now)
        pools = ServerPools(url: database.url, logger: logger)
        listening = ServerPools.listening(database.url, logger: logger)
        var limits = AccountLimits()
        limits.writesPerMinute = configuration.writesPerMinute
        limits.signUpsPerMinute = configuration.signUpsPerMinute
        limits.messagesPerMinute = configuration.writesPerMinute / 2
        limits.uploadsPerMinute = (configuration.writesPerMinute + 3) / 4
        limits.imageQuota = configuration.imageQuota
        let tokens = AccessTokens(keys: keys, issuer: configuration.publicURL, audience: configuration.publicURL)
        keysFileReader = KeysFileReader(file: keysFile, tokens: tokens, logger: logger)
        environment = App.Environment(
            pools: pools.pools, tokens: tokens, secrets: keys.secrets,
            passwords: PasswordHasher(parameters: configuration.passwordHash), limits: limits,
            publicURL: configuration.publicURL, logger: logger)
        push = PushDelivery(environment, apns: try configuration.readAPNsCredentials(), client: pushClient)
    }

    /// Until SIGTERM or SIGINT.
    func run() async throws {
        let revocations = RevocationPoller(environment)
        // Before the first request: a session that was revoked while no server ran must not be let in.
        try await revocations.poll()
        let writesElsewhere = ChangeNotifier(environment).listen(listening)
        defer { writesElsewhere.stop() }
        let auditor = CounterAuditor(environment, listening, figures: audit)
        var lifecycle = logger
        // Below info it prints the services with all that they hold.
        lifecycle.logLevel = max(logger.logLevel, .info)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: Background { await revocations.run() }),
                    .init(service: Background { [environment] in await Housekeeping(environment).run() }),
                    .init(
                        service: Background { [environment, push] in
                            await PushQueue(environment, send: { await push.send($0) }).run()
                        }),
                    .init(service: Background { [environment] in await ThoughtRanks(environment).run() }),
                    .init(service: Background { [environment] in await Telling(environment).run() }),
                    .init(service: Background { [environment] in await SearchLists(environment).run() }),
                    .init(service: Background { [environment] in await ActivityRecorder(environment).run() }),
                    .init(service: Background { await auditor.run() }),
                    .init(service: Background { [environment] in await ChangeTail(environment).run() }),
                    .init(service: Background { [environment] in await ChangeNotifier(environment).run() }),
                    .init(service: Background { [mailQueue] in await mailQueue.run() }),
                    .init(service: Background { [environment] in await AccountRemoval(environment).run() }),
                    .init(service: Background { [environment] in await AccountMerge(environment).run() }),
                    .init(service: Background { [keysFileReader] in await keysFileReader.run() }),
                    .init(service: try endpoint(), successTerminationBehavior: .gracefullyShutdownGroup),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: lifecycle))
        try await group.run()
        await pushClient.shutdown()
        await ActivityRecorder(environment).flush()
        await pools.pools.shutdown()
    }

    private var mailQueue: MailQueue {
        guard let smtp = configuration.smtp else {
            let directory = MailDirectory(path: configuration.home.appending("mail").string)
            return MailQueue(environment, transport: directory, from: configuration.mailFrom, logsLinks: true)
        }
        return MailQueue(environment, transport: smtp.server, from: configuration.mailFrom)
    }

    private func endpoint() throws -> GraphQLServer<App.RequestContext> {
        let schema = try Domain.executableSchema()
        let environment = environment
        var server = GraphQLServer(
            schema: schema, settings: configuration.serverSettings, logger: logger
        ) { head in
            try await environment.authenticate(
                authorization: head.authorization, userAgent: head["User-Agent"], address: head.clientAddress,
                requestID: head.requestID.description
            ).of(head)
        }
        server.authenticateAtOnce = { head in
            try environment.authenticateAtOnce(
                authorization: head.authorization, userAgent: head["User-Agent"], address: head.clientAddress,
                requestID: head.requestID.description)?.of(head)
        }
        server.holdEvents = { head in
            head.socket.map { environment.holdChanges(on: $0, isResumed: head.resumeAfter != nil) }
        }
        server.metrics.observe(pools.pools)
        server.metrics.observe(environment.changes)
        server.metrics.observe(audit)
        server.schemaDocument = printSchema(schema.schema)
        server.trustedDocuments = try configuration.readTrustedDocuments()
        // The set of revoked sessions is read twice a second: while it is fresh, the database answers.
        server.isReady = { environment.revokedSessions.isFresh(now: environment.now().unixMilliseconds) }
        server.revealsSchema = { [configuration] context in !configuration.isProduction || context.viewer != nil }
        server.addRoutes = { router in
            ThoughtRoute.add(to: router, environment)
            AccountPageRoute.add(to: router)
            ImageRoute.add(to: router, environment)
            CoverRoute.add(to: router)
            router.get(".well-known/jwks.json") { _, _ in
                let keys = environment.tokens.keys.jwks(now: environment.now().unixMilliseconds / 1000)
                return Response(
                    status: .ok, headers: [.contentType: "application/jwk-set+json", .cacheControl: "max-age=300"],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: keys)))
            }
        }
        server.onListening = { [configuration, logger] port in
            let address = Configuration.address(host: configuration.host, port: port)
            logger.info("Listening", metadata: ["address": "\(address)"])
            // print would hold the line back where standard output is no terminal.
            let line = "Tertulia serves \(address)/graphql, with a playground at \(address)/\n"
            _ = try? FileDescriptor.standardOutput.writeAll(line.utf8)
        }
        return server
    }
}

extension App.RequestContext {
    fileprivate func of(_ head: RequestHead) -> App.RequestContext {
        var context = self
        context.resumeAfter = head.resumeAfter
        context.connection = head.socket
        return context
    }
}

/// Sockets and streams end with the session that they were opened in.
extension App.RequestContext: SessionContext {}

/// A loop beside the server, ended when the server is told to stop.
private struct Background: Service {
    let loop: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await loop() } }
}
