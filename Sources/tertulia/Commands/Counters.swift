import App
import ArgumentParser
import Logging
import Postgres

struct Counters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look after the counters that are stored with what they count.", subcommands: [AuditCounters.self])
}

struct AuditCounters: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Recount every counter beside a server that runs; exit 1 if one differs and is not repaired.")

    @OptionGroup var flags: SettingFlags

    @Flag(help: "Set what differs to what was counted.") var repair = false

    func run(_ configuration: Configuration, logger: Logger) async throws {
        let outcome = try await Database.with(configuration, logger: logger) { database in
            let connection = try await DedicatedConnection.open(ServerPools.audit(database.url, logger: logger))
            let outcome = try await CounterAudit(connection).run(repairs: repair) { drift in
                print(repair ? "repaired  \(drift)" : "differs  \(drift)")
            }
            await connection.close()
            return outcome
        }
        print("\(outcome.objects) objects recounted, \(outcome.drift.count) counters differed.")
        if !outcome.drift.isEmpty && !repair { throw ExitCode.failure }
    }
}
