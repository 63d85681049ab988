import Terminal
import TertuliaClient

/// Posts with drafts and ratings, readable without signing in.
@main struct Practica {
    @MainActor static func main() async throws {
        let shell = try await Shell(
            "practica", .generated,
            mutations: [
                WritePostMutation.self, EditPostMutation.self, DeletePostMutation.self, PublishMutation.self,
                UnpublishMutation.self, RateMutation.self,
            ])
        try await shell.run(PracticaScreens(shell))
    }
}

@MainActor final class PracticaScreens: Screens {
    private enum Place {
        case published
        case detail(String)
        case mine
        case statistics(String)
        /// Shown to a person who is no member and wants to write, or to see own posts.
        case menu
    }

    private let shell: Shell
    private var place = Place.published
    private var published: LiveRows<PostRow>?
    private var followingPublished: Observation?
    private var mine: [PostRow] = []
    private var followingMine: Task<Void, Never>?
    private var signingIn: Task<Void, Never>?

    init(_ shell: Shell) { self.shell = shell }

    func begin() async throws {
        published = nil
        mine = []
        followingMine?.cancel()
        if shell.account == nil { signInAnonymously() }
        let list = try await shell.client.live(PublishedQuery(first: 50), changes: PublishedChangesSubscription())
        followingPublished = list.onChange { [weak self] rows in
            self?.published = rows
            self?.draw()
        }
        guard isMember else { return }
        let posts = try await shell.client.observe(MineQuery())
        followingMine = Task { [weak self] in
            await self?.shell.attempt {
                for try await stored in posts {
                    self?.mine = stored.value?.viewer?.thoughts.nodes.compactMap { $0?.postRow } ?? []
                    self?.draw()
                }
            }
        }
        Task { [weak self] in try? await self?.readMine() }
    }

    /// Signs in anonymously, and tries again every second while that fails.
    private func signInAnonymously() {
        signingIn?.cancel()
        signingIn = Task { [shell] in
            while shell.account == nil, !Task.isCancelled {
                do { return try await shell.client.session.signInAnonymously() } catch {
                    try? await Task.sleep(for: .seconds(1))
                }
            }
        }
    }

    /// No subscription tells the changes of drafts, so the list of own posts is read again after each write.
    func settled() async throws { try await readMine() }

    private func readMine() async throws {
        guard isMember else { return }
        do { _ = try await shell.client.fetch(MineQuery()) } catch is TransportError {}
    }

    private var isMember: Bool { shell.account.map { !$0.isAnonymous } ?? false }

    // MARK: - Screens

    func draw() {
        switch place {
        case .published: drawPublished()
        case .mine: drawMine()
        case .detail(let id), .statistics(let id): draw(id)
        case .menu:
            shell.terminal.draw(
                "practica · Menu", ["To write, register or sign in."] + shell.footer,
                commands: "register · signin · cancel")
        }
    }

    private func drawPublished() {
        let lines = zip(1..., published?.rows ?? []).map { number, row in
            "\(number). \(title(row)) · \(row.author.displayName) · \(minute(row.createdAt)) · \(stars(row))"
        }
        let person = isMember ? "member" : shell.account == nil ? "nobody" : "anonymous"
        shell.terminal.draw(
            "practica · Posts · \(person) · \(published.map { "\($0.phase)" } ?? "loading")", lines + shell.footer,
            commands: "open N · mine · write · logout")
    }

    private func drawMine() {
        let deleted = shell.waiting(DeletePostMutation.self, "id")
        var lines = zip(1..., mine).map { number, row in
            let delete = "delete \(deleted.contains(row.id) ? "[on]" : "[  ]")"
            let publish = "publish \(row.status == .published ? "[on]" : "[  ]")"
            return "\(number). \(title(row)) · \(minute(row.createdAt)) · \(delete) \(publish)"
        }
        lines += shell.waiting(WritePostMutation.self, "text").map { "⧗ \($0)" }
        shell.terminal.draw(
            "practica · Mine", lines + shell.footer,
            commands: "publish N · delete N · edit N · statistics N · write · back")
    }

    private func draw(_ id: String) {
        guard let row = mine.first(where: { $0.id == id }) ?? published?.rows.first(where: { $0.id == id }) else {
            return shell.terminal.draw("practica · Post", ["The post is gone."] + shell.footer, commands: "back")
        }
        if case .statistics = place {
            let mean = row.rating.average.map { "\($0)" } ?? "none"
            let lines = [title(row), "ratings: \(row.rating.count)", "mean: \(mean)"]
            return shell.terminal.draw("practica · Statistics", lines + shell.footer, commands: "back")
        }
        let photo = row.image.map { picture(width: $0.width, height: $0.height, caption: $0.url) } ?? chair
        let bar = (1...5).map { $0 <= row.viewerRating ?? 0 ? "★" : "☆" }.joined()
        shell.terminal.draw(
            "practica · Post", [title(row), photo, row.text, "\(bar) · \(stars(row))"] + shell.footer,
            commands: "rate 1…5 · back")
    }

    /// The placeholder of a post without a photo.
    private var chair: String { "█\n█▄▄▄\n█  █ an empty chair" }

    private func title(_ row: PostRow) -> String { row.title ?? String(row.text.prefix(20)) }

    private func stars(_ row: PostRow) -> String {
        row.rating.average.map { "\($0) of \(row.rating.count)" } ?? "not rated"
    }

    // MARK: - Commands

    func perform(_ command: String, _ argument: String) async throws {
        switch (place, command) {
        case (_, "back"), (_, "cancel"): place = .published
        case (.menu, "register"):
            try await shell.signUp()
            place = .mine
        case (.menu, "signin"):
            try await shell.signIn(mergeAnonymous: true)
            place = .mine
        case (_, "mine") where !isMember, (_, "write") where !isMember: place = .menu
        case (_, "mine"): place = .mine
        case (_, "write"): try await write()
        case (_, "logout"):
            place = .published
            try await shell.signOut()
        case (.published, "open"): place = .detail(try post(argument).id)
        case (.detail(let id), "rate"): try await rate(id, argument)
        case (.mine, "publish"): try await turnPublish(own(argument))
        case (.mine, "delete"):
            let id = try own(argument).id
            try await shell.write(DeletePostMutation(input: DeleteThoughtInput(id: id)), objects: [id])
        case (.mine, "edit"): try await edit(own(argument).id)
        case (.mine, "statistics"): place = .statistics(try own(argument).id)
        default: throw Refusal("\(command) is no command of this screen.")
        }
    }

    private func post(_ number: String) throws -> (id: String, row: PostRow) {
        guard let published else { throw Refusal("The list is not read yet.") }
        return try published.row(number)
    }

    private func own(_ number: String) throws -> PostRow {
        guard let index = Int(number).map({ $0 - 1 }), mine.indices.contains(index) else {
            throw Refusal("There is no number \(number).")
        }
        return mine[index]
    }

    private func write() async throws {
        let form = await shell.terminal.form("Title", "Text", "Photo (a file, or nothing)", "Publish now (yes or no)")
        let id = NewID.make("thought")
        let photo = try pictureFile(form[2])
        try await shell.write(
            WritePostMutation(
                input: CreateThoughtInput(
                    id: .value(id), category: .serious, title: .value(form[0]), text: form[1],
                    status: form[3] == "yes" ? .published : .draft),
                image: Given(photo)), objects: [id])
        place = .mine
    }

    /// Publishing is a state of the post, not a copy of it.
    private func turnPublish(_ post: PostRow) async throws {
        if post.status == .published {
            try await shell.write(
                UnpublishMutation(input: UnpublishThoughtInput(id: post.id)), objects: [post.id],
                patches: [RecordPatch(post.id, [("status", .set(.string("DRAFT")))])])
        } else {
            try await shell.write(
                PublishMutation(input: PublishThoughtInput(id: post.id)), objects: [post.id],
                patches: [RecordPatch(post.id, [("status", .set(.string("PUBLISHED")))])])
        }
    }

    private func edit(_ id: String) async throws {
        let form = await shell.terminal.form("Title", "Text")
        try await shell.write(
            EditPostMutation(input: UpdateThoughtInput(id: id, title: .value(form[0]), text: .value(form[1]))),
            objects: [id],
            patches: [RecordPatch(id, [("title", .set(.string(form[0]))), ("text", .set(.string(form[1])))])])
    }

    /// A person has one rating of a post: another rating takes the place of the first.
    private func rate(_ id: String, _ number: String) async throws {
        guard let stars = Int(number), (1...5).contains(stars) else { throw Refusal("A rating is 1 to 5.") }
        try await shell.write(
            RateMutation(input: RateThoughtInput(thoughtId: id, stars: stars)), objects: [id],
            patches: [RecordPatch(id, [("viewerRating", .set(.int(stars)))])])
    }
}
