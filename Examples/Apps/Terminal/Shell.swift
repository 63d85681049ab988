import Foundation
import TertuliaClient
import TertuliaClientNIO

/// The screens of one app.
@MainActor public protocol Screens: AnyObject {
    /// Called at the start and after each change of the session's state. `shell.account` is the account then, nil where
    /// nobody is signed in.
    func begin() async throws
    func draw()
    func perform(_ command: String, _ argument: String) async throws
    /// Called after a write was answered.
    func settled() async throws
}

extension Screens {
    public func settled() async throws {}
}

/// The parts that the apps share: a client, a terminal, the account, and the writes that wait.
@MainActor public final class Shell {
    public let client: Client
    public let terminal = Terminal()
    public private(set) var account: Account?
    /// The writes that are not answered yet, the oldest first.
    public private(set) var waiting: [OutboxEntry] = []
    /// A text for the person, shown below the screen.
    public var notice = ""
    private weak var screens: (any Screens)?
    private var isLeavingWrites = false

    /// The command line's arguments are the server's address and the folder of the app's data, both optional.
    public init(
        _ name: String, _ schema: SchemaDescription, mutations: [any MutationOperation.Type],
        queries: [any QueryOperation.Type] = []
    ) async throws {
        let arguments = CommandLine.arguments
        let home = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".tertulia-apps/\(name)")
        let folder = arguments.count > 2 ? URL(fileURLWithPath: arguments[2]) : home
        guard let url = URL(string: arguments.count > 1 ? arguments[1] : "http://127.0.0.1:8080/graphql") else {
            throw Refusal("Usage: \(name) URL FOLDER")
        }
        client = try await Client(
            url: url, transport: NIOTransport(),
            credentials: FileCredentialStore(file: folder.appendingPathComponent("credentials")), folder: folder,
            schema: schema, mutations: mutations, queries: queries)
    }

    /// Draws and obeys until the input ends.
    public func run(_ screens: any Screens) async throws {
        self.screens = screens
        let following = Task {
            for await state in await client.session.states { await turn(to: state.account) }
        }
        while let line = await terminal.line() {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard let command = words.first else { continue }
            notice = ""
            await attempt { try await screens.perform(command, words.count > 1 ? words[1] : "") }
        }
        following.cancel()
        await client.close()
    }

    private func turn(to account: Account?) async {
        self.account = account
        notice = ""
        await attempt {
            // An earlier run of the app may have left writes.
            waiting = try await client.outbox.entries()
            try await screens?.begin()
            for entry in waiting { follow(entry.id) }
        }
    }

    public func redraw() { screens?.draw() }

    /// Runs `body`, notes its error for the person, and draws the screen.
    public func attempt(_ body: () async throws -> Void) async {
        do { try await body() } catch { notice = text(of: error) }
        screens?.draw()
    }

    /// The error in words for a person.
    public func text(of error: any Error) -> String {
        switch error {
        case let error as Refusal: error.text
        case let error as UserErrors: error.faults.map(\.message).joined(separator: " ")
        case let error as RequestRefused: error.errors.map(\.message).joined(separator: " ")
        case let error as WritesWait: "\(error.entries.count) writes wait. Log out again to leave them on this device."
        case is TransportError, is Unavailable: "This needs the server, which cannot be reached."
        default: "\(error)"
        }
    }

    // MARK: - Writes

    /// Queues a write. The write is shown at once, sent as soon as there is a network, and done once.
    public func write<Mutation: MutationOperation>(
        _ mutation: Mutation, objects: [String], patches: [RecordPatch] = [],
        conflicts: ConflictPolicy = .lastWriter, reading: (any QueryOperation)? = nil
    ) async throws {
        // The lists change before `waiting` does. A screen drawn in between would show the write as an answered one.
        terminal.isHeld = true
        defer { terminal.isHeld = false }
        let id = try await client.perform(
            mutation, objects: objects, patches: patches, conflicts: conflicts, reading: reading)
        waiting = try await client.outbox.entries()
        follow(id)
    }

    /// Waits for the answer to a write, tells the person of a refusal, and updates `waiting`.
    private func follow(_ id: String) {
        Task {
            await attempt {
                let outbox = try await client.outbox
                let result = try await outbox.result(of: id)
                if case .refused(let errors) = result { notice = text(of: RequestRefused(errors)) }
                if result == .overruled { notice = "Somebody else changed it meanwhile. Your change was not made." }
                if result != .done { try await outbox.discard(id) }
                waiting = try await outbox.entries()
                try await screens?.settled()
            }
        }
    }

    /// The texts of one field in the inputs of an operation's writes that wait.
    public func waiting(_ operation: (some MutationOperation).Type, _ field: String) -> [String] {
        waiting.filter { $0.operation == operation.name }
            .compactMap { $0.variables["input"]?.object?[field]?.text }
    }

    /// The lines below each screen.
    public var footer: [String] {
        (waiting.isEmpty ? [] : ["⧗ \(waiting.count) to send"]) + (notice.isEmpty ? [] : ["! \(notice)"])
    }

    // MARK: - The session

    /// Shows that something is under way.
    public func working(_ text: String) {
        notice = "… \(text)"
        screens?.draw()
    }

    public func signIn(mergeAnonymous: Bool = false) async throws {
        let form = await terminal.form("E-mail or username", "Password")
        working("signing in")
        try await client.signIn(login: form[0], password: form[1], mergeAnonymous: mergeAnonymous)
    }

    public func signUp() async throws {
        let form = await terminal.form("E-mail", "Username", "Password")
        working("signing up")
        try await client.session.signUp(email: form[0], password: form[2], username: form[1])
    }

    /// Writes that wait stop a sign-out. The next call after that leaves them on the device.
    public func signOut() async throws {
        isLeavingWrites.toggle()
        try await client.signOut(leavingWrites: !isLeavingWrites)
        isLeavingWrites = false
    }
}

/// The error of typed text that the app itself refuses.
public struct Refusal: Error {
    public let text: String

    public init(_ text: String) { self.text = text }
}

extension LiveRows {
    /// The row of a number on the screen, counted from 1.
    public func row(_ number: some StringProtocol) throws -> (id: String, row: Row) {
        guard let index = Int(number).map({ $0 - 1 }), rows.indices.contains(index) else {
            throw Refusal("There is no number \(number).")
        }
        return (ids[index], rows[index])
    }
}
