import App
import ArgumentParser
import Auth
import FirebaseImport
import FoundationEssentials
import Logging
import Postgres

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Bring accounts, documents and pictures from another service.",
        subcommands: [ImportFromFirebase.self, ImportMapping.self, FindImported.self, ImportResets.self])
}

struct ImportFromFirebase: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "firebase", abstract: "Import the exports of a Firebase project; docs/from-firebase.md shows how.",
        discussion: """
            Nobody is notified of what is imported. An import that was interrupted is started again: what is there \
            already is passed over.
            """)

    @OptionGroup var flags: SettingFlags

    @Option(
        help: """
            What becomes of the documents: \(Mapping.ready.map(\.name).joined(separator: ", ")), or a mapping file.
            """)
    var mapping: String

    @Option(help: ArgumentHelp("JSON of firebase auth:export; may be repeated.", valueName: "file"))
    var users: [String] = []

    @Option(help: ArgumentHelp("The password hash parameters, as the console shows them.", valueName: "file"))
    var hashParameters: String?

    @Option(help: ArgumentHelp("JSON export of Firestore; may be repeated.", valueName: "file"))
    var firestore: [String] = []

    @Option(help: ArgumentHelp("JSON export of the Realtime Database; may be repeated.", valueName: "file"))
    var realtimeDatabase: [String] = []

    @Option(help: ArgumentHelp("Folder with the files of Firebase Storage.", valueName: "folder"))
    var storage: String?

    @Option(help: "The name under which old ids are kept.") var source = "firebase"

    @Option(help: ArgumentHelp("File for all that does not fit, one JSON object a line.", valueName: "file"))
    var report = "firebase-import.jsonl"

    @Flag(help: "Write nothing but the report.") var dryRun = false

    func validate() throws {
        if users.isEmpty && firestore.isEmpty && realtimeDatabase.isEmpty {
            throw ValidationError("Nothing to import: give --users, --firestore or --realtime-database.")
        }
        guard (1...64).contains(source.utf8.count), !source.utf8.contains(0) else {
            throw ValidationError("--source is a name of at most 64 bytes.")
        }
    }

    func run(_ configuration: Configuration, logger: Logger) async throws {
        do {
            let input = try input()
            let mapping = try Mapping(mapping)
            let problems = try ImportReport(path: report)
            try await Database.with(configuration, logger: logger) { database in
                let connection = try await DedicatedConnection.open(database.administration(logger: logger))
                try await PendingMigrations.refuse(connection, logger: logger)
                try await FirebaseImport(
                    input, mapping: mapping, source: source, imageQuota: configuration.imageQuota, report: problems,
                    connection: connection, logger: logger
                ).run(isDryRun: dryRun)
                await connection.close()
            }
            print(problems.summary(isDryRun: dryRun))
        } catch let failure as ImportFailure {
            throw CommandFailure(failure.description)
        }
    }

    private func input() throws -> FirebaseImport.Input {
        var input = FirebaseImport.Input()
        input.accounts = users
        input.firestore = firestore
        input.realtimeDatabase = realtimeDatabase
        input.storage = storage
        if let hashParameters {
            let text = FileManager.default.contents(atPath: hashParameters).map { String(decoding: $0, as: UTF8.self) }
            guard let text, let parameters = FirebasePasswordParameters(text: text) else {
                throw CommandFailure(
                    "\(hashParameters) has no password hash parameters as Firebase's console shows them.")
            }
            input.passwordParameters = parameters
        }
        return input
    }
}

struct ImportMapping: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mapping", abstract: "Print a ready mapping, to start your own from.")

    @Argument(help: "\(Mapping.ready.map(\.name).joined(separator: ", ")).") var name: String

    func run() throws {
        guard let ready = Mapping.ready.first(where: { $0.name == name }) else {
            throw ValidationError("There is no mapping \(name).")
        }
        print(ready.text, terminator: "")
    }
}

struct FindImported: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Print the new id of an imported object; exit 1 if there is none.")

    @OptionGroup var flags: SettingFlags

    @Argument(help: "The id of an account, or the path of a document, such as thoughts/Jx3k.") var oldID: String

    func run(_ configuration: Configuration, logger: Logger) async throws {
        let found = try await Database.with(configuration, logger: logger) { database in
            var worker = ConnectionConfiguration(database.url, role: "tertulia_worker")
            worker.logger = logger
            let connection = try await DedicatedConnection.open(worker)
            let found = try await connection.run(ImportedObjects(oldID: oldID))
            await connection.close()
            return found
        }
        for object in found { if let id = object.id { print("\(id)  \(object.source)") } }
        if found.isEmpty { throw ExitCode.failure }
    }
}

struct ImportResets: SettingsCommand {
    static let configuration = CommandConfiguration(
        commandName: "resets",
        abstract: "Count the imported accounts that have no password, and send each a link to set one.",
        discussion: "A link is valid for ten minutes; whoever comes later asks for another in the app.")

    @OptionGroup var flags: SettingFlags

    @Option(help: "The name that the import had.") var source = "firebase"

    @Flag(help: "Queue the mails, which the server sends.") var send = false

    @Option(help: "Mails a minute.") var perMinute = 60

    func validate() throws {
        guard (1...6_000).contains(perMinute) else { throw ValidationError("--per-minute is from 1 to 6000.") }
    }

    func run(_ configuration: Configuration, logger: Logger) async throws {
        try await Database.with(configuration, logger: logger) { database in
            let connection = try await DedicatedConnection.open(database.administration(logger: logger))
            let accounts = AccountsWithoutPassword(source: source)
            print("\(try await accounts.count(connection)) accounts have no password.")
            if send {
                let mails = try await accounts.queueMails(connection, interval: Duration.seconds(60) / perMinute)
                print("\(mails) mails are queued.")
            }
            await connection.close()
        }
    }
}
