import ArgumentParser
import Logging
import Postgres

struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Look after accounts.", subcommands: [Promote.self])
}

enum AccountRole: String, ExpressibleByArgument, CaseIterable {
    case member, moderator, admin

    /// Accepts any case; the schema has the roles in capitals.
    init?(argument: String) { self.init(rawValue: argument.lowercased()) }

    /// The role's name in the database.
    var stored: String { rawValue.uppercased() }
}

struct Promote: SettingsCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give an account a role; it has it with its next request.")

    @Argument(help: "The account's username.") var username: String

    @Option(help: "member, moderator or admin.") var role: AccountRole

    @OptionGroup var flags: SettingFlags

    func run(_ configuration: Configuration, logger: Logger) async throws {
        try await Database.with(configuration, logger: logger) { database in
            var worker = ConnectionConfiguration(database.url, role: "tertulia_worker")
            worker.logger = logger
            let connection = try await DedicatedConnection.open(worker)
            let found = try await connection.run(SetRole(username: username, role: role)).first
            await connection.close()
            guard let found else { throw CommandFailure("Nobody has the username \(username).") }
            print("\(found) is now \(role.rawValue).")
        }
    }
}

/// Finds the account by its username. An anonymous account has none, so its role cannot be changed.
private struct SetRole: Statement {
    let username: String
    let role: AccountRole

    var sql: SQL {
        "update users set role = \(role.stored) where username = \(username.lowercased()) returning username"
    }

    func decode(_ row: Row) -> String { row.string(0) }
}
