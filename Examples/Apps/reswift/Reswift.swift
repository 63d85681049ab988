import Terminal
import TertuliaClient

/// A typed list and an account, kept by a store with actions and a reducer.
@main struct Reswift {
    @MainActor static func main() async throws {
        let shell = try await Shell(
            "reswift", .generated,
            mutations: [CreateNoteMutation.self, UpdateNoteMutation.self, RemoveNoteMutation.self],
            queries: [OneNoteQuery.self])
        try await shell.run(ReswiftScreen(shell))
    }
}

@MainActor final class ReswiftScreen: Screens {
    private let shell: Shell
    private let store = Store()
    private let remote: Remote
    private var following: Task<Void, Never>?

    init(_ shell: Shell) {
        self.shell = shell
        remote = Remote(shell, store)
        store.changed = { [weak self] in self?.draw() }
        following = Task { [remote] in await remote.followUser() }
    }

    /// Reads the list anew for another account. `Remote.followUser` dispatches the account itself.
    func begin() async throws { try await remote.resubscribe() }

    func draw() {
        let state = store.state
        var lines = ["account: \(state.account?.id ?? "nobody")"]
        if let path = state.path { lines.append("\(path): \(state.isSubscribed ? "subscribed" : "not subscribed")") }
        for (number, item) in zip(1..., state.items) {
            let title = item.note.title.map { "\($0): " } ?? ""
            lines.append("\(number). \(title)\(item.note.text) (\(item.note.author.displayName))")
        }
        lines += shell.waiting(CreateNoteMutation.self, "text").map { "⧗ \($0)" }
        lines += state.log.map { "» \($0)" } + shell.footer
        shell.terminal.draw(
            "reswift", lines,
            commands: "subscribe PATH · create · overwrite N · update N TEXT · title N TITLE · append N TEXT · "
                + "remove N · read ID · id · login · signup · password · email · reset EMAIL · "
                + "newpassword TOKEN PASSWORD · logout")
    }

    func perform(_ command: String, _ argument: String) async throws {
        let words = argument.split(separator: " ", maxSplits: 1).map(String.init)
        let text = words.count > 1 ? words[1] : ""
        switch command {
        case "subscribe": try await remote.subscribe(to: argument)
        case "create": try await write(remote.newObjectID())
        case "overwrite": try await write(item(argument))
        case "update": try await remote.update(item(words.first), text: text)
        case "title": try await remote.update(item(words.first), title: text)
        case "append": try await remote.readThenWrite(item(words.first)) { $0 + text }
        case "remove": try await remote.remove(item(argument))
        case "read": if let note = try await remote.read(argument) { shell.notice = note.text }
        case "id": shell.notice = try remote.userID()
        case "login":
            let form = await shell.terminal.form("E-mail or username", "Password")
            await remote.logIn(form[0], form[1])
        case "signup":
            let form = await shell.terminal.form("E-mail", "Username", "Password")
            await remote.signUp(form[0], form[1], form[2])
        case "password":
            let form = await shell.terminal.form("Old password", "New password")
            await remote.changePassword(from: form[0], to: form[1])
        case "email":
            let form = await shell.terminal.form("New e-mail", "Password")
            await remote.changeEmail(to: form[0], password: form[1])
        case "reset": await remote.resetPassword(of: argument)
        case "newpassword": await remote.resetPassword(token: words.first ?? "", to: text)
        case "logout": try await remote.logOut()
        default: throw Refusal("\(command) is no command.")
        }
    }

    private func write(_ id: String) async throws {
        let form = await shell.terminal.form("Title", "Text")
        try await remote.create(id, text: form[1], title: form[0].isEmpty ? nil : form[0])
    }

    private func item(_ number: String?) throws -> String {
        let items = store.state.items
        guard let index = number.flatMap({ Int($0) }).map({ $0 - 1 }), items.indices.contains(index) else {
            throw Refusal("There is no number \(number ?? "").")
        }
        return items[index].id
    }
}
