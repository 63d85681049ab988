import Foundation
import Terminal
import TertuliaClient

/// Events that members post.
@main struct Socials {
    @MainActor static func main() async throws {
        let shell = try await Shell(
            "socials", .generated,
            mutations: [
                CreateEventMutation.self, DeleteEventMutation.self, RsvpMutation.self, CancelRsvpMutation.self,
            ])
        try await shell.run(SocialsScreens(shell))
    }
}

@MainActor final class SocialsScreens: Screens {
    private enum Place { case feed, detail(String), account }

    private let shell: Shell
    private var place = Place.feed
    private var events: LiveRows<EventRow>?
    private var following: Observation?
    private var account: AccountQuery.Data.Viewer?
    private var followingAccount: Task<Void, Never>?

    init(_ shell: Shell) { self.shell = shell }

    func begin() async throws {
        followingAccount?.cancel()
        (place, events, following, account) = (.feed, nil, nil, nil)
        guard shell.account != nil else { return }
        let list = try await shell.client.live(EventsQuery(first: 50), changes: EventChangesSubscription())
        following = list.onChange { [weak self] rows in
            self?.events = rows
            self?.draw()
        }
    }

    // MARK: - Screens

    func draw() {
        guard shell.account != nil else {
            return shell.terminal.draw("socials · Sign in", shell.footer, commands: "signup · signin")
        }
        switch place {
        case .feed: drawFeed()
        case .detail(let id): drawDetail(id)
        case .account:
            let lines = [
                "name: \(account?.user.displayName ?? "")", "username: \(account?.user.username ?? "")",
                "e-mail: \(account?.email ?? "")",
                "interested in: \(account?.rsvpEvents.nodes.compactMap { $0?.name }.joined(separator: ", ") ?? "")",
            ]
            shell.terminal.draw("socials · Account", lines + shell.footer, commands: "back")
        }
    }

    private func drawFeed() {
        var lines: [String] = []
        let deleted = shell.waiting(DeleteEventMutation.self, "id")
        for (number, (id, row)) in zip(1..., zip(events?.ids ?? [], events?.rows ?? [])) {
            if deleted.contains(id) {
                lines.append("\(number). ⧗ deleted")
            } else {
                lines.append("\(number). \(row.author.displayName): \(row.name) · \(minute(row.startsAt))")
                if let photo = photo(of: row) { lines.append(photo) }
                lines.append("   \(row.interestedCount) interested\(row.viewerRsvp == nil ? "" : ", you too")")
            }
        }
        lines += shell.waiting(CreateEventMutation.self, "name").map { "⧗ \($0)" } + shell.footer
        shell.terminal.draw(
            "socials · Events · \(events.map { "\($0.phase)" } ?? "loading")", lines,
            commands: "create · open N · account · logout")
    }

    private func drawDetail(_ id: String) {
        guard let row = try? event(id) else {
            return shell.terminal.draw("socials · Event", ["The event is gone."] + shell.footer, commands: "back")
        }
        let lines = [
            "\(row.name) by \(row.author.displayName)", "\(minute(row.startsAt)) to \(minute(row.endsAt))",
            photo(of: row), row.description, "\(row.interestedCount) interested",
        ]
        let answer = row.viewerRsvp == nil ? "rsvp" : "cancel"
        shell.terminal.draw(
            "socials · Event", lines.compactMap { $0 } + shell.footer,
            commands: "\(answer)\(row.viewerCanEdit ? " · delete" : "") · back")
    }

    private func photo(of row: EventRow) -> String? {
        row.image.map { picture(width: $0.width, height: $0.height, caption: $0.url) }
    }

    // MARK: - Commands

    func perform(_ command: String, _ argument: String) async throws {
        switch (place, command) {
        case (_, "signup"): try await signUp()
        case (_, "signin"): try await shell.signIn()
        case (_, "logout"): try await shell.signOut()
        case (_, "back"):
            followingAccount?.cancel()
            place = .feed
        case (.feed, "create"): try await create()
        case (.feed, "open"): place = .detail(try event(at: argument).id)
        case (.feed, "account"): try await showAccount()
        case (.detail(let id), "rsvp"): try await rsvp(id)
        case (.detail(let id), "cancel"): try await cancelRsvp(id)
        case (.detail(let id), "delete"): try await delete(id)
        default: throw Refusal("\(command) is no command of this screen.")
        }
    }

    private func event(at number: String) throws -> (id: String, row: EventRow) {
        guard let events else { throw Refusal("The list is not read yet.") }
        return try events.row(number)
    }

    private func event(_ id: String) throws -> EventRow {
        guard let events, let index = events.ids.firstIndex(of: id) else { throw Refusal("The event is gone.") }
        return events.rows[index]
    }

    /// The ways in which signing up fails are told apart: a field that is missing and passwords that differ by the app,
    /// a password that is weak and an address that is taken by the server.
    private func signUp() async throws {
        let fields = ["Full name", "E-mail", "Username", "Password", "Password again"]
        var form: [String] = []
        for field in fields { form.append(await shell.terminal.form(field)[0]) }
        if let missing = zip(fields, form).first(where: { $0.1.isEmpty }) { throw Refusal("\(missing.0) is missing.") }
        guard form[3] == form[4] else { throw Refusal("The passwords differ.") }
        shell.working("signing up")
        do {
            try await shell.client.session.signUp(
                email: form[1], password: form[3], username: form[2], displayName: form[0])
        } catch let error as UserErrors {
            throw Refusal(error.faults.map(explain).joined(separator: " "))
        }
    }

    private func explain(_ fault: UserErrors.Fault) -> String {
        switch (fault.code, fault.field.last) {
        case ("TAKEN", "email"): "This e-mail address has an account: sign in."
        case ("TAKEN", "username"): "This username is taken."
        case ("WEAK_PASSWORD", _), ("TOO_SHORT", "password"): "The password is weak: \(fault.message)"
        default: fault.message
        }
    }

    /// Picture and event are stored together or not at all: one mutation has both.
    private func create() async throws {
        let form = await shell.terminal.form(
            "Name", "Picture (a file, or nothing)", "Description", "Start (2026-12-31 20:00, UTC)", "End")
        guard form[2].count <= 140 else { throw Refusal("The description has more than 140 characters.") }
        let id = NewID.make("event")
        let (start, end) = (try date(form[3]), try date(form[4]))
        let image = try pictureFile(form[1])
        try await shell.write(
            CreateEventMutation(
                input: CreateEventInput(
                    id: .value(id), name: form[0], description: form[2], startsAt: start, endsAt: end),
                image: Given(image)), objects: [id])
    }

    private func date(_ text: String) throws -> Date {
        guard let date = try? Date(text.replacing(" ", with: "T") + ":00Z", strategy: .iso8601) else {
            throw Refusal("\(text) is no time.")
        }
        return date
    }

    private func rsvp(_ id: String) async throws {
        try await shell.write(
            RsvpMutation(input: RsvpInput(eventId: id)), objects: [id],
            patches: [RecordPatch(id, [("viewerRsvp", .set(.string("INTERESTED"))), ("interestedCount", .add(1))])])
    }

    private func cancelRsvp(_ id: String) async throws {
        try await shell.write(
            CancelRsvpMutation(input: CancelRsvpInput(eventId: id)), objects: [id],
            patches: [RecordPatch(id, [("viewerRsvp", .set(.null)), ("interestedCount", .add(-1))])])
    }

    private func delete(_ id: String) async throws {
        guard try event(id).viewerCanEdit else { throw Refusal("That is somebody else's event.") }
        place = .feed
        try await shell.write(DeleteEventMutation(input: DeleteEventInput(id: id)), objects: [id])
    }

    /// Shows the store's account at once, then the server's if there is a network.
    private func showAccount() async throws {
        place = .account
        let stored = try await shell.client.observe(AccountQuery())
        followingAccount = Task { [weak self] in
            await self?.shell.attempt {
                for try await value in stored {
                    self?.account = value.value?.viewer
                    self?.draw()
                }
            }
        }
        Task { [shell] in _ = try? await shell.client.fetch(AccountQuery()) }
    }
}
