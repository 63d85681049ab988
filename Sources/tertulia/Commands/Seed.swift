import ArgumentParser
import Auth
import Logging
import Postgres

struct Seed: SettingsCommand {
    static let configuration = CommandConfiguration(
        abstract: "Load demo data by COPY; the same seed and sizes give the same data.",
        discussion: "The first account is \(DemoLoader.email), with the password \(DemoLoader.password).")

    @OptionGroup var flags: SettingFlags

    @Option(help: "Accounts.") var users = DemoData.Size().users
    @Option(help: "Thoughts.") var thoughts = DemoData.Size().thoughts
    @Option(help: "Comments; five a thought unless given.") var comments: Int?
    @Option(help: "Likes; five for two thoughts unless given.") var likes: Int?
    @Option(help: "Events.") var events = DemoData.Size().events
    @Option(help: "RSVPs; ten an event unless given.") var rsvps: Int?
    @Option(help: "The seed of the random numbers.") var seed: UInt64 = 1
    @Flag(help: "Only where there is no account yet.") var ifEmpty = false

    func validate() throws {
        for count in [users, thoughts, comments ?? 0, likes ?? 0, events, rsvps ?? 0] where count < 0 {
            throw ValidationError("Counts are 0 or more.")
        }
        if users == 0 && thoughts + events > 0 { throw ValidationError("Thoughts and events need --users.") }
    }

    func run(_ configuration: Configuration, logger: Logger) async throws {
        let size = DemoData.Size(
            users: users, thoughts: thoughts, comments: comments ?? thoughts * 5, likes: likes ?? thoughts * 5 / 2,
            events: events, rsvps: rsvps ?? events * 10)
        try await Database.with(configuration, logger: logger) { database in
            let connection = try await DedicatedConnection.open(database.administration(logger: logger))
            try await PendingMigrations.refuse(connection, logger: logger)
            let loader = DemoLoader(connection: connection, logger: logger)
            let isWanted = ifEmpty ? try await loader.isEmpty() : true
            if isWanted {
                let hash = try await PasswordHasher().hash(DemoLoader.password)
                try await loader.load(DemoData(size: size, seed: seed), passwordHash: hash)
            }
            await connection.close()
        }
    }
}
