import App
import Auth
import ChangeFeed
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

/// The composition root: the domain's environment, the transport, and the background work.
struct Server {
    private let configuration: Configuration
    private let pools: ServerPools
    private let listening: ConnectionConfiguration
    private let environment: App.Environment
    private let keysFileReader: KeysFileReader
    private let logger: Logger
    private let pushClient: PushClient
    private let push: PushDelivery
    private let audit = CounterAuditStatistics()
    private let metrics = MetricRegistry()
    private let trustedDocuments: TrustedDocuments?
    private let addresses: Listening
    private let clock: ClockWatch
    private let watch: DatabaseWatch

    init(
        _ configuration: Configuration, database: Database, trustedDocuments: TrustedDocuments?, addresses: Listening,
        logger: Logger
    ) throws {
        self.configuration = configuration
        self.trustedDocuments = trustedDocuments
        self.addresses = addresses
        self.logger = logger
        clock = ClockWatch(logger: logger)
        try Directory.make(configuration.home, mode: 0o700, owner: .current, parents: 0o755)
        let now = Timestamp.now().unixMilliseconds / 1000
        let keysFile = SigningKeysFile(path: configuration.signingKeys.string)
        let keys = try keysFile.loadOrCreate(now: now)
        pools = ServerPools(url: database.url, sizes: configuration.poolSizes, logger: logger)
        watch = DatabaseWatch(database, columnFaults: pools.columnFaults, clock: clock, logger: logger)
        listening = ServerPools.listening(database.url, logger: logger)
        var limits = configuration.rates.limits
        limits.imageQuota = configuration.imageQuota
        let tokens = AccessTokens(keys: keys, issuer: configuration.publicURL, audience: configuration.publicURL)
        keysFileReader = KeysFileReader(file: keysFile, tokens: tokens, logger: logger)
        var pushEndpointRules = PushEndpointRules()
        pushEndpointRules.allowsPrivateAddresses = configuration.allowsPrivatePushAddresses
        if configuration.allowsPrivatePushAddresses {
            logger.warning("pushes may go to private addresses: any account can have this server send there")
        }
        environment = App.Environment(
            pools: pools.pools, tokens: tokens, secrets: keys.secrets,
            passwords: PasswordHasher(parameters: configuration.passwordHash), limits: limits,
            pushEndpointRules: pushEndpointRules, publicURL: configuration.publicURL, logger: logger)
        pushClient = PushClient(allowsPrivateAddresses: configuration.allowsPrivatePushAddresses)
        push = PushDelivery(environment, apns: try configuration.readAPNsCredentials(), client: pushClient)
    }

    /// Serves until SIGTERM or SIGINT.
    func run() async throws {
        let revocations = RevocationPoller(environment)
        // The revoked sessions are read before the first request, so that a session that was revoked while no server
        // ran is refused.
        try await revocations.poll()
        await watch.askOnce()
        let tail = Task { [environment] in await ChangeTail(environment.changeLog, logger: environment.logger).run() }
        // Wait until the tail has begun: a list that is read earlier has no cursor with which a client could subscribe
        // to its changes.
        while !environment.changes.hasBegun { try await Task.sleep(for: .milliseconds(5)) }
        let writesElsewhere = ChangeNotifier(environment.changeLog).listen(listening)
        defer { writesElsewhere.stop() }
        let auditor = CounterAuditor(environment, listening, statistics: audit)
        let loops: [@Sendable () async -> Void] = [
            { await revocations.run() },
            { [environment] in await Housekeeping(environment).run() },
            { [environment, push, configuration] in
                await PushQueue(environment, hold: configuration.pushHold) { await push.send($0) }.run()
            },
            { [environment] in await PushReceiptWriter(environment).run() },
            { [environment] in await ThoughtRanks(environment).run() },
            { [environment] in await NotificationWorker(environment).run() },
            { [environment] in await SearchIndexMaintenance(environment).run() },
            { [environment] in await ActivityRecorder(environment).run() },
            { await auditor.run() },
            { [environment] in await ChangeNotifier(environment.changeLog).run() },
            { [mailQueue] in await mailQueue.run() },
            { [environment] in await AccountRemoval(environment).run() },
            { [environment] in await AccountMerge(environment).run() },
            { [keysFileReader] in await keysFileReader.run() },
            { [watch] in await watch.run() },
        ]
        let (listens, begins) = AsyncStream.makeStream(of: Void.self)
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = [
            .init(
                service: Background {
                    // The loops begin once the server listens: a server that cannot listen must not change the
                    // database.
                    for await _ in listens { break }
                    await withDiscardingTaskGroup { group in for loop in loops { group.addTask { await loop() } } }
                })
        ]
        if let metricsServer { services.append(.init(service: metricsServer)) }
        let endpoint = try endpoint { begins.yield() }
        services.append(.init(service: endpoint, successTerminationBehavior: .gracefullyShutdownGroup))
        var lifecycle = logger
        // At debug and trace, the service group would log its services with all their properties. Why the group ended
        // is reported once, as the command's failure.
        lifecycle.logLevel = max(logger.logLevel, .info)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: lifecycle))
        do {
            try await group.run()
        } catch {
            await end(tail)
            guard let failure = error as? ListeningFailure else { throw error }
            throw Listening.failure(failure, setting: failure.port == configuration.port ? "PORT" : "METRICS_PORT")
        }
        await end(tail)
    }

    /// The JSON object that docs/playground.md describes in "The description".
    static var playgroundDescription: [UInt8] { PackageResources.playground_json }

    private func end(_ tail: Task<Void, Never>) async {
        tail.cancel()
        await tail.value
        await watch.settled()
        await pushClient.shutdown()
        await ActivityRecorder(environment).flush()
        await pools.pools.shutdown()
    }

    private var metricsServer: MetricsServer? {
        addresses.metrics.map { host, port in
            MetricsServer(metrics, host: host, port: port, logger: logger) { [logger] port in
                let address = Configuration.address(host: host, port: port)
                logger.info("Metrics", metadata: ["address": "\(address)/metrics"])
            }
        }
    }

    private var mailQueue: MailQueue {
        guard let smtp = configuration.smtp else {
            let directory = MailDirectory(path: configuration.home.appending("mail").string)
            return MailQueue(
                environment, transport: directory, from: configuration.mailFrom, logsLinks: configuration.logsMailLinks)
        }
        return MailQueue(environment, transport: smtp.server, from: configuration.mailFrom)
    }

    private func endpoint(
        onListening: @escaping @Sendable () -> Void
    ) throws -> GraphQLServer<App.RequestContext> {
        let schema = try Domain.executableSchema()
        let environment = environment
        var server = GraphQLServer(
            schema: schema, settings: configuration.serverSettings, logger: logger, metrics: metrics
        ) { head in
            // Each operation of a WebSocket has the same payload.
            if head.socket == nil, let parameters = head.connectionParameters {
                try environment.refuseMisplacedToken(in: parameters, authorization: head.authorization)
            }
            do {
                return try await environment.authenticate(
                    authorization: head.authorization, userAgent: head["User-Agent"], address: head.clientAddress,
                    requestID: head.requestID.description
                ).of(head)
            } catch let ended as App.EndedSession {
                throw ended.of(head)
            }
        }
        server.authenticateSynchronously = { head in
            do {
                return try environment.authenticateSynchronously(
                    authorization: head.authorization, userAgent: head["User-Agent"], address: head.clientAddress,
                    requestID: head.requestID.description)?.of(head)
            } catch let ended as App.EndedSession {
                throw ended.of(head)
            }
        }
        server.runsAfterSession = Domain.runsAfterSession
        server.holdBackEvents = { head in
            head.socket.map { environment.holdChanges(on: $0, isResumed: head.resumeAfter != nil) }
        }
        metrics.observe(pools.pools)
        metrics.observe(environment.changes)
        metrics.observe(audit)
        metrics.observe(clock)
        metrics.observeProcess()
        server.responseHeaders = { RateLimitFields($0.rateUses).headers }
        server.schemaDocument = printSchema(schema.schema)
        server.playgroundDescription = String(decoding: Self.playgroundDescription, as: UTF8.self)
        server.trustedDocuments = trustedDocuments?.adding(TrustedDocuments(texts: AccountPage.all.map(\.document)))
        server.readiness = { [watch] in
            // The set of revoked sessions is read from the database twice a second. A fresh set proves that the pools
            // reach the database.
            await watch.readiness(
                isReached: environment.revokedSessions.isFresh(now: environment.now().unixMilliseconds))
        }
        server.allowsIntrospection = { [configuration] context in configuration.introspection.isOpen(to: context) }
        server.isMember = { $0.isMember }
        server.observe = { [configuration] context in
            try await context.statementPlan(isForEverybody: !configuration.isProduction)
        }
        server.addRoutes = { [hasPlayground = configuration.hasPlayground] router in
            if !hasPlayground { SwitchedOffPlayground.add(to: router) }
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
            // `print` would buffer the line if standard output is not a terminal.
            let playground = configuration.hasPlayground ? ", with a playground at \(address)/" : ""
            let line = "Tertulia serves \(address)/graphql\(playground)\n"
            _ = try? FileDescriptor.standardOutput.writeAll(line.utf8)
            onListening()
        }
        return server
    }
}

extension App.RequestContext {
    fileprivate func of(_ head: RequestHead) -> App.RequestContext {
        var context = self
        context.resumeAfter = head.resumeAfter
        context.lastEventID = head.lastEventID
        context.clientConnectionID = head.socket
        return context
    }
}

extension App.EndedSession {
    fileprivate func of(_ head: RequestHead) -> GraphQLTransport.EndedSession<App.RequestContext> {
        GraphQLTransport.EndedSession(context: context.of(head), error: error)
    }
}

/// The transport closes WebSockets and streams when the session in which they were opened ends.
extension App.RequestContext: SessionContext {}

/// A background loop, cancelled when the server is told to stop.
private struct Background: Service {
    let loop: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await loop() } }
}
