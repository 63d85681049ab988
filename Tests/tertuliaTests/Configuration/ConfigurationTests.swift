import FoundationEssentials
import GraphQLTransport
import SystemPackage
import Testing

@testable import tertulia

@Suite struct ConfigurationTests {
    private func configuration(
        _ arguments: [String] = [], _ environment: [String: String] = [:]
    ) throws -> Configuration {
        try Configuration(SettingFlags.parse(arguments), environment: environment, workingDirectory: "/srv/app")
    }

    @Test func defaults() throws {
        let configuration = try configuration()
        #expect(configuration.databaseURL == nil)
        #expect(configuration.home == "/srv/app/.tertulia")
        #expect(configuration.signingKeys == "/srv/app/.tertulia/keys.json")
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8080)
        #expect(configuration.publicURL == "http://127.0.0.1:8080")
        #expect(configuration.logLevel == .info)
        #expect(configuration.logFormat == .text)
        #expect(configuration.settings.allSatisfy { $0.origin == .standard })
    }

    @Test func aFlagGoesBeforeAVariable() throws {
        let configuration = try configuration(["--port", "9000"], ["PORT": "9001", "HOST": "0.0.0.0"])
        #expect(configuration.port == 9000)
        #expect(configuration.host == "0.0.0.0")
        let origins = Dictionary(uniqueKeysWithValues: configuration.settings.map { ($0.variable, $0.origin) })
        #expect(origins["PORT"] == .flag)
        #expect(origins["HOST"] == .variable)
        #expect(origins["LOG_LEVEL"] == .standard)
    }

    @Test func anEmptyVariableIsUnset() throws {
        #expect(try configuration([], ["PORT": "", "DATABASE_URL": ""]).port == 8080)
    }

    @Test func theHomeMovesWhatLiesInIt() throws {
        let configuration = try configuration([], ["TERTULIA_HOME": "../data"])
        #expect(configuration.home == "/srv/data")
        #expect(configuration.signingKeys == "/srv/data/keys.json")
    }

    @Test func persistedQueriesCanBeTurnedOff() throws {
        #expect(try configuration().serverSettings.persistedQueries != nil)
        #expect(try configuration(["--persisted-queries", "false"]).serverSettings.persistedQueries == nil)
    }

    /// The common load balancers keep a connection for 60 seconds, and Google's for 600.
    @Test func connectionsAreKeptLongerThanBalancersKeepThem() throws {
        func idleTimeout(_ arguments: [String]) throws -> Int64 {
            try configuration(arguments).serverSettings.limits.idleTimeout.nanoseconds / 1_000_000_000
        }
        #expect(try idleTimeout([]) == 75)
        #expect(try idleTimeout(["--trusted-proxies", "1"]) == 620)
        #expect(try idleTimeout(["--trusted-proxies", "1", "--idle-timeout", "90"]) == 90)
    }

    @Test func proxiesNameClientsInOneHeader() throws {
        let standard = try configuration([], ["TRUSTED_PROXIES": "2"]).serverSettings.proxies
        #expect(standard.count == 2 && standard.field == .xForwardedFor)
        for (text, field) in [("Forwarded", TrustedProxies.Field.forwarded), ("X-Forwarded-For", .xForwardedFor)] {
            #expect(try configuration([], ["FORWARDED_HEADER": text]).serverSettings.proxies.field == field)
        }
        #expect(throws: InvalidConfiguration.self) { try configuration([], ["FORWARDED_HEADER": "X-Real-IP"]) }
    }

    /// The default of PUBLIC_URL is no promise that browsers use it.
    @Test func theServersOriginIsThatOfThePublicURL() throws {
        #expect(try configuration().serverSettings.crossOrigin.ownOrigin == nil)
        #expect(try configuration(["--port", "80"]).serverSettings.crossOrigin.ownOrigin == nil)
        let own = try configuration([], ["PUBLIC_URL": "https://api.example.org/graph/"]).serverSettings.crossOrigin
        #expect(own.ownOrigin == WebOrigin("https://api.example.org"))
        for (text, origin) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[2001:db8::1]:8080", "http://[2001:db8::1]:8080"),
            ("https://bücher.example", "https://xn--bcher-kva.example"),
        ] {
            let origins = try configuration([], ["PUBLIC_URL": text]).serverSettings.crossOrigin
            #expect(origins.ownOrigin != nil && origins.ownOrigin == WebOrigin(origin))
        }
        for text in ["http://:80", "http:///x", "https://a.example:x"] {
            #expect(throws: InvalidConfiguration.self, "\(text)") { try configuration([], ["PUBLIC_URL": text]) }
        }
    }

    @Test func ratesAreSettings() throws {
        let defaults = try configuration().rates.limits
        #expect(
            [
                defaults.writes, defaults.messages, defaults.uploads, defaults.signUps, defaults.signIns,
                defaults.deviceSignIns, defaults.anonymousAccounts, defaults.mails, defaults.addressMails,
                defaults.recipientMails,
            ].map(\.quota) == [120, 60, 30, 60, 30, 10, 20, 5, 60, 20])
        let limits = try configuration(["--sign-ups-per-minute", "7"], ["WRITES_PER_MINUTE": "0"]).rates.limits
        #expect([limits.signUps, limits.writes, limits.messages, limits.uploads].map(\.quota) == [7, 0, 0, 0])
        let several = try configuration(
            ["--anonymous-accounts-per-hour", "0"], ["MESSAGES_PER_MINUTE": "9", "FAILURES_BEFORE_BACK_OFF": "3"])
        #expect([several.rates.limits.anonymousAccounts, several.rates.limits.messages].map(\.quota) == [0, 9])
        #expect(several.rates.limits.failuresBeforeBackOff == 3)
        #expect(throws: InvalidConfiguration.self) { try self.configuration([], ["SIGN_UPS_PER_MINUTE": "-1"]) }
    }

    /// A page of another site sees the fields of the rates.
    @Test func theFieldsOfRatesAreExposed() throws {
        let policy = try configuration(["--allowed-origins", "*"]).serverSettings.crossOrigin
        #expect(policy.exposedHeaders == ["RateLimit", "RateLimit-Policy", "Retry-After"])
    }

    @Test func theImageQuotaIsASetting() throws {
        #expect(try configuration().imageQuota == 100 << 20)
        #expect(try configuration(["--image-quota-mib", "7"]).imageQuota == 7 << 20)
        #expect(throws: InvalidConfiguration.self) { try self.configuration([], ["IMAGE_QUOTA_MIB": "2048"]) }
    }

    @Test func pushesAreHeldAndStayOnTheInternetUnlessSet() throws {
        #expect(try configuration().pushHold == .seconds(2))
        #expect(try !configuration().allowsPrivatePushAddresses)
        let configuration = try configuration(["--push-private-addresses"], ["PUSH_HOLD": "0"])
        #expect(configuration.pushHold == .zero)
        #expect(configuration.allowsPrivatePushAddresses)
        #expect(throws: InvalidConfiguration.self) { try self.configuration(["--push-hold", "3601"]) }
    }

    @Test func theSizesOfThePoolsAreSettings() throws {
        #expect(PoolSizes(cores: 2).total == 20)
        #expect(PoolSizes(cores: 4).total == 24)
        let sizes = try configuration(
            ["--database-read-connections", "3", "--database-slow-connections", "1"],
            ["DATABASE_WRITE_CONNECTIONS": "5", "DATABASE_WORKER_CONNECTIONS": "2"]
        ).poolSizes
        #expect([sizes.read, sizes.write, sizes.slow, sizes.worker] == [3, 5, 1, 2])
        #expect(sizes.total == 12)
        #expect(throws: InvalidConfiguration.self) { try self.configuration(["--database-read-connections", "0"]) }
    }

    /// Nobody waits for a load balancer at a terminal.
    @Test func theDelayOfTheEndIsASetting() throws {
        func delay(_ arguments: [String] = [], isOnTerminal: Bool) throws -> Duration {
            try Configuration(
                SettingFlags.parse(arguments), environment: [:], workingDirectory: "/", isOnTerminal: isOnTerminal
            ).serverSettings.shutdownDelay
        }
        #expect(try delay(isOnTerminal: false) == .seconds(5))
        #expect(try delay(isOnTerminal: true) == .zero)
        #expect(try delay(["--shutdown-delay", "7"], isOnTerminal: true) == .seconds(7))
        #expect(throws: InvalidConfiguration.self) { try delay(["--shutdown-delay", "3601"], isOnTerminal: false) }
    }

    @Test func trustedDocumentsComeFromAFile() throws {
        let configuration = try configuration(["--trusted-documents", "docs.json", "--trusted-documents-only"])
        #expect(configuration.trustedDocuments == "/srv/app/docs.json")
        #expect(configuration.serverSettings.runsOnlyTrustedDocuments)
        #expect(throws: CommandFailure("TERTULIA_TRUSTED_DOCUMENTS: /srv/app/docs.json cannot be read.")) {
            try configuration.readTrustedDocuments()
        }
        #expect(try self.configuration().readTrustedDocuments() == nil)
    }

    /// Nothing at all could run.
    @Test func trustedDocumentsAloneNeedAManifest() throws {
        let configuration = try configuration([], ["TERTULIA_TRUSTED_DOCUMENTS_ONLY": "true"])
        #expect(throws: CommandFailure.self) { try configuration.readTrustedDocuments() }
    }

    @Test func anIPv6AddressStandsInBrackets() throws {
        #expect(try configuration(["--host", "::1"]).publicURL == "http://[::1]:8080")
    }

    @Test func thePublicURLLosesItsLastSlash() throws {
        #expect(try configuration(["--public-url", "https://example.org/"]).publicURL == "https://example.org")
    }

    @Test func everyBadSettingIsReportedAtOnce() throws {
        let error = try #require(throws: InvalidConfiguration.self) {
            try configuration(
                ["--port", "70000"],
                ["LOG_LEVEL": "loud", "DATABASE_URL": "mysql://root:hunter2@host/db", "PUBLIC_URL": "example.org"])
        }
        #expect(
            error.description == """
                DATABASE_URL: postgresql://user@host/database is expected.
                --port: a port number from 0 to 65535 is expected, not "70000".
                PUBLIC_URL: http://… or https://… is expected, not "example.org".
                LOG_LEVEL: trace, debug, info, notice, warning, error, critical is expected, not "loud".
                """)
    }

    @Test func secretsAreMasked() throws {
        let table = Config.table(
            try configuration(
                [],
                [
                    "DATABASE_URL": "postgresql://ana:hunter2@db/tertulia",
                    "SMTP_URL": "smtps://mail:hunter2@mail.example.org",
                ]
            ).settings)
        #expect(!table.contains("hunter2"))
        #expect(table.contains("postgresql://ana:***@db/tertulia  (environment)"))
    }

    @Test(arguments: [("TERTULIA_HOME", "--home"), ("LOG_LEVEL", "--log-level"), ("PORT", "--port")])
    func flagNames(_ variable: String, _ flag: String) { #expect(SettingOrigin.flagName(of: variable) == flag) }

    @Test func everySettingHasItsFlag() throws {
        let help = SettingFlags.helpMessage(columns: 200).split(whereSeparator: \.isWhitespace).map(String.init)
        for setting in try configuration().settings {
            #expect(help.contains(SettingOrigin.flagName(of: setting.variable)))
        }
    }

    @Test func theHelpTellsTheDefaults() {
        let help = SettingFlags.helpMessage(columns: 200)
        #expect(help.contains("Port to listen on; 0 for any free one. (default: 8080)"))
        #expect(help.contains("Address that clients use, for links in mail and images. (default: http://HOST:PORT)"))
    }

    /// The commands of README set variables that something reads: the server, or the tests.
    @Test func theCommandsOfREADMESetVariablesThatAreRead() throws {
        let root = FilePath(#filePath).removingLastComponent().appending("../../..").lexicallyNormalized()
        func text(_ path: String) throws -> String {
            let file = try #require(FileManager.default.contents(atPath: root.appending(path).string))
            return String(decoding: file, as: UTF8.self)
        }
        let set = try text("README.md").split(separator: "\n").compactMap { line in
            let name = line.prefix { $0.isUppercase || $0 == "_" }
            return line.dropFirst(name.count).first == "=" && !name.isEmpty ? String(name) : nil
        }
        let settings = try configuration().settings.map(\.variable)
        let tests = "TERTULIA_TEST_DATABASE_URL"
        #expect(try text("Tests/TestPostgres/TestPostgres.swift").contains("getenv(\"\(tests)\")"))
        #expect(set.contains(tests))
        #expect(set.contains("ALLOWED_ORIGINS"))
        for variable in set { #expect((settings + [tests]).contains(variable), "\(variable)") }
    }

    /// Each setting with its default. A row may have several settings, and then as many defaults or one for all.
    @Test func theTableOfREADMEHasTheSettingsAndTheirDefaults() throws {
        let root = FilePath(#filePath).removingLastComponent().appending("../../../README.md").lexicallyNormalized()
        let page = String(decoding: try #require(FileManager.default.contents(atPath: root.string)), as: UTF8.self)
        var documented: [String: String] = [:]
        for row in page.split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: " | ").map { $0.filter { $0 != "`" }.drop { $0 == "|" || $0 == " " } }
            guard cells.count == 3 else { continue }
            let variables = cells[0].split(separator: ", ").map(String.init)
            let defaults = cells[1].split(separator: ", ").map(String.init)
            for (index, variable) in variables.enumerated() {
                documented[variable] =
                    variables.count == defaults.count ? defaults[index] : defaults.joined(separator: ", ")
            }
        }
        for setting in try configuration().settings {
            let standard = setting.standard.isEmpty ? "none" : setting.standard
            #expect(documented[setting.variable] == standard, "\(setting.variable)")
        }
    }

    @Test(arguments: [
        ("*", "*"), ("none", "none"),
        ("https://b.example,https://a.example:8443", "https://a.example:8443,https://b.example"),
    ])
    func allowedOrigins(_ text: String, _ shown: String) throws {
        #expect(try configuration(["--allowed-origins", text]).allowedOrigins.setting == shown)
    }

    @Test(arguments: ["example.org", "https://example.org/app", "https://a.example,", "ftp://a.example"])
    func whatIsNoOriginIsRefused(_ text: String) {
        #expect(throws: InvalidConfiguration.self) { try configuration(["--allowed-origins", text]) }
    }

    @Test func productionNeedsAWayForMail() throws {
        func failure(_ environment: [String: String]) throws -> CommandFailure? {
            let configuration = try configuration([], environment)
            do throws(CommandFailure) {
                try configuration.checkMail()
                return nil
            } catch {
                return error
            }
        }
        #expect(try failure([:]) == nil)
        let refusal = try #require(try failure(["PRODUCTION": "true"]))
        #expect(refusal.description.contains("set SMTP_URL, or MAIL=files"))
        #expect(try failure(["PRODUCTION": "true", "MAIL": "files"]) == nil)
        #expect(try failure(["PRODUCTION": "true", "SMTP_URL": "smtps://mail.example.org"]) == nil)
        #expect(try failure(["MAIL": "smtp"]) != nil)
    }

    /// A link of a mail proves who one is.
    @Test func linksAreLoggedOnlyWhileDeveloping() throws {
        #expect(try configuration().logsMailLinks)
        #expect(try !configuration([], ["PRODUCTION": "true", "MAIL": "files"]).logsMailLinks)
        #expect(try !configuration([], ["SMTP_URL": "smtps://mail.example.org"]).logsMailLinks)
    }

    /// Clients of the API do not reach the metrics, which are served on an address of their own.
    @Test func metricsAreServedApart() throws {
        #expect(try !configuration().serverSettings.servesMetrics)
        #expect(try configuration().metricsHost == "127.0.0.1")
    }

    @Test func productionHidesTheSchema() throws {
        #expect(try configuration().serverSettings.isSchemaPublic)
        #expect(try !configuration(["--production"]).serverSettings.isSchemaPublic)
        #expect(try !configuration([], ["PRODUCTION": "true"]).serverSettings.isSchemaPublic)
        #expect(try configuration([]).introspection == .all)
        #expect(try configuration(["--production"]).introspection == .members)
        #expect(try configuration(["--production", "--introspection", "all"]).serverSettings.isSchemaPublic)
        #expect(try configuration([], ["INTROSPECTION": "none"]).introspection == .none)
    }
}
