import Terminal
import TertuliaClient

/// The calls of the client library. Their outcomes come to the store as actions.
@MainActor final class Remote {
    private let shell: Shell
    private let store: Store
    private var subscription: Task<Void, Never>?

    init(_ shell: Shell, _ store: Store) {
        self.shell = shell
        self.store = store
    }

    // MARK: - Objects

    /// Needs no network.
    func newObjectID() -> String { NewID.make("thought") }

    /// Creates an object, or overwrites the one of this id: fields that are not given are cleared.
    func create(_ id: String, text: String, title: String?) async throws {
        try await shell.write(
            CreateNoteMutation(
                input: CreateThoughtInput(
                    id: .value(id), category: category(of: store.state.path), title: Given(title), text: text,
                    onConflict: .overwrite)), objects: [id])
    }

    /// Fields that are not given stay as they are.
    func update(_ id: String, text: String? = nil, title: String? = nil) async throws {
        let changes = [("text", text), ("title", title)].compactMap { name, value in
            value.map { (name: name, change: RecordPatch.Change.set(.string($0))) }
        }
        try await shell.write(
            UpdateNoteMutation(input: UpdateThoughtInput(id: id, title: Given(title), text: Given(text))),
            objects: [id], patches: [RecordPatch(id, changes)])
    }

    func remove(_ id: String) async throws {
        try await shell.write(RemoveNoteMutation(input: DeleteThoughtInput(id: id)), objects: [id])
    }

    /// Reads a text, and writes what `change` makes of it, unless somebody else has changed the text meanwhile.
    func readThenWrite(_ id: String, _ change: (String) -> String) async throws {
        guard let note = try await read(id) else { return }
        let text = change(note.text)
        try await shell.write(
            UpdateNoteMutation(input: UpdateThoughtInput(id: id, text: .value(text))), objects: [id],
            patches: [RecordPatch(id, [("text", .set(.string(text)))])], conflicts: .serverWins,
            reading: OneNoteQuery(id: id))
    }

    /// The object on the server. While the list is not subscribed to, the list's object, if it has one of this id. nil
    /// after an action that tells the error.
    func read(_ id: String) async throws -> Note? {
        if !store.state.isSubscribed, let item = store.state.items.first(where: { $0.id == id }) { return item.note }
        do {
            if let note = try await shell.client.fetch(OneNoteQuery(id: id)).value?.thought?.note { return note }
            store.dispatch(ObjectAction<Note>.objectErrored(.noData))
        } catch let error as UnreadableResponse {
            store.dispatch(ObjectAction<Note>.objectErrored(.malformedData("\(error)")))
        } catch let error as RequestRefused {
            store.dispatch(ObjectAction<Note>.objectErrored(.refused(error.errors.first?.message ?? "")))
        }
        return nil
    }

    /// - Throws: `Refusal` for the path that is subscribed to already.
    func subscribe(to path: String) async throws {
        guard store.state.path != path else { throw Refusal("\(path) is subscribed to already.") }
        unsubscribe()
        let category = ThoughtFilter(categories: .value([category(of: path)]))
        let list = try await shell.client.live(
            NotesQuery(filter: .value(category), first: 100),
            changes: NoteChangesSubscription(
                filter: .value(FeedFilter(kinds: .value([.thought]), categories: category.categories))))
        store.dispatch(PathChosen(path: path))
        let events = list.events
        // An event of the list before may be on its way when the task is cancelled: its index is of other items.
        subscription = Task { for await next in events where !Task.isCancelled { store.dispatch(ObjectAction(next)) } }
    }

    func resubscribe() async throws {
        guard let path = store.state.path else { return }
        unsubscribe()
        store.dispatch(PathChosen(path: nil))
        try await subscribe(to: path)
    }

    private func unsubscribe() {
        subscription?.cancel()
        subscription = nil
    }

    private func category(of path: String?) -> ThoughtCategory {
        ThoughtCategory(rawValue: (path?.split(separator: "/").last ?? "funny").uppercased())
    }

    // MARK: - The account

    /// Dispatches the session's events. A call that is refused dispatches its own error.
    func followUser() async {
        for await event in await shell.client.session.events {
            switch event {
            case .userIdentified(let account): store.dispatch(UserAction.userIdentified(account))
            case .userLoggedIn(let account): store.dispatch(UserAction.userLoggedIn(account))
            case .userLoggedOut: store.dispatch(UserAction.userLoggedOut)
            case .userAuthFailed(let text):
                guard case .ended = await shell.client.session.state else { continue }
                store.dispatch(UserAction.userAuthFailed(.sessionEnded(text)))
            }
        }
    }

    func userID() throws -> String {
        guard let account = store.state.account else {
            store.dispatch(UserAction.userAuthFailed(.missingUserID))
            throw Refusal("Nobody is signed in.")
        }
        return account.id
    }

    func logIn(_ login: String, _ password: String) async {
        await call(nil, AccountError.logIn) { try await $0.signIn(login: login, password: password) }
    }

    func signUp(_ email: String, _ username: String, _ password: String) async {
        await call(.signedUp, AccountError.signUp) {
            try await $0.signUp(email: email, password: password, username: username)
        }
    }

    func changePassword(from old: String, to new: String) async {
        await call(.passwordChanged, AccountError.changePassword) {
            try await $0.changePassword(current: old, new: new)
        }
    }

    func changeEmail(to email: String, password: String) async {
        await call(.emailChanged, AccountError.changeEmail) {
            try await $0.changeEmail(password: password, newEmail: email)
        }
    }

    /// Asks for a mail with a token.
    func resetPassword(of email: String) async {
        await call(.passwordReset, AccountError.resetPassword) { try await $0.requestPasswordReset(email: email) }
    }

    /// Sets a new password with the token of the mail.
    func resetPassword(token: String, to new: String) async {
        await call(.passwordChanged, AccountError.resetPassword) {
            try await $0.resetPassword(token: token, newPassword: new)
        }
    }

    func logOut() async throws {
        unsubscribe()
        try await shell.signOut()
    }

    private func call(
        _ change: AccountChange?, _ failure: (String) -> AccountError, _ body: (Session) async throws -> Void
    ) async {
        do {
            try await body(shell.client.session)
            if let change { store.dispatch(UserAction.userAuthenticationAction(change)) }
        } catch {
            store.dispatch(UserAction.userAuthFailed(failure(shell.text(of: error))))
        }
    }
}
