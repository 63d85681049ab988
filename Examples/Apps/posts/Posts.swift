import Terminal
import TertuliaClient

/// A feed of posts that is kept on the device.
@main struct Posts {
    @MainActor static func main() async throws {
        let shell = try await Shell(
            "posts", .generated,
            mutations: [
                WritePostMutation.self, DeletePostMutation.self, LikeMutation.self, UnlikeMutation.self,
                SaveMutation.self, UnsaveMutation.self, AddCommentMutation.self,
                StartConversationMutation.self, SendMessageMutation.self, MarkReadMutation.self,
            ])
        try await shell.run(PostsScreens(shell))
    }
}

@MainActor final class PostsScreens: Screens {
    private enum Place: Equatable {
        case home
        case saved
        case detail(String)
        /// The sheet over the detail of a post.
        case sheet(String)
        case inbox
    }

    private let shell: Shell
    private let chat: Chat
    private var place = Place.home
    private var posts: LiveRows<PostRow>?
    private var followingPosts: Observation?
    private var saved: [PostRow] = []
    private var followingSaved: Task<Void, Never>?
    private var comments: LiveRows<CommentRow>?
    private var followingComments: Observation?

    init(_ shell: Shell) {
        self.shell = shell
        chat = Chat(shell)
    }

    func begin() async throws {
        followingSaved?.cancel()
        (place, posts, followingPosts, saved) = (.home, nil, nil, [])
        try await chat.begin()
        guard shell.account != nil else { return }
        let list = try await shell.client.live(PostsQuery(first: 50), changes: PostChangesSubscription())
        // Pinned rows stay on the device, however full the store is.
        try await list.setPinned(true)
        followingPosts = list.onChange { [weak self] rows in
            self?.posts = rows
            self?.draw()
        }
    }

    // MARK: - Screens

    func draw() {
        guard shell.account != nil else {
            return shell.terminal.draw("posts · Login", shell.footer, commands: "signup · signin · dark · light")
        }
        if chat.draw() { return }
        switch place {
        case .home: drawHome()
        case .saved:
            shell.terminal.draw("posts · Saved", saved.flatMap { card($0, "♥") } + shell.footer, commands: "back")
        case .detail(let id): drawDetail(id, isSheet: false)
        case .sheet(let id): drawDetail(id, isSheet: true)
        case .inbox: chat.drawInbox()
        }
    }

    private func drawHome() {
        var lines: [String] = []
        let deleted = shell.waiting(DeletePostMutation.self, "id")
        for (number, (id, row)) in zip(1..., zip(posts?.ids ?? [], posts?.rows ?? [])) {
            lines += deleted.contains(id) ? ["\(number). ⧗ deleted"] : card(row, "\(number).")
        }
        lines += shell.waiting(WritePostMutation.self, "text").map { "⧗ \($0)" } + shell.footer
        shell.terminal.draw(
            "posts · Home · \(posts.map { "\($0.phase)" } ?? "loading")", lines,
            commands: "compose · open N · saved · inbox · dark · light · logout")
    }

    private func card(_ row: PostRow, _ mark: String) -> [String] {
        var lines = [
            "\(mark) \(row.title.map { "\($0) · " } ?? "")\(row.author.displayName) · \(minute(row.createdAt))",
            "   \(row.text)",
        ]
        if let image = row.image { lines.append(picture(width: image.width, height: image.height, caption: image.url)) }
        lines.append(
            "   \(row.viewerHasLiked ? "♥" : "♡") \(row.likeCount) · ✎ \(row.commentCount) · ↗ \(row.shareCount)"
                + (row.viewerHasSaved ? " · saved" : ""))
        return lines
    }

    private func drawDetail(_ id: String, isSheet: Bool) {
        guard let post = try? post(id) else {
            return shell.terminal.draw("posts · Detail", ["The post is gone."] + shell.footer, commands: "back")
        }
        var lines = card(post, "")
        lines += (comments?.rows ?? []).map { "\($0.author.displayName): \($0.text)" }
        lines += shell.waiting(AddCommentMutation.self, "text").map { "⧗ \($0)" }
        if isSheet {
            lines += ["▔▔▔▔▔▔▔▔", "like", "save", "share", "message TEXT"] + (post.viewerCanEdit ? ["delete"] : [])
        }
        shell.terminal.draw(
            isSheet ? "posts · Sheet" : "posts · Detail", lines + shell.footer,
            commands: isSheet ? "like · save · share · message TEXT · delete · back" : "comment TEXT · sheet · back")
    }

    // MARK: - Commands

    func perform(_ command: String, _ argument: String) async throws {
        switch command {
        case "dark", "light": return shell.terminal.isDark = command == "dark"
        case "signup": return try await shell.signUp()
        case "signin": return try await shell.signIn()
        case "logout": return try await shell.signOut()
        default: break
        }
        if try await chat.perform(command, argument) { return }
        switch (place, command) {
        case (.home, "compose"): try await compose()
        case (.home, "open"): try await open(argument)
        case (.home, "saved"): try await showSaved()
        case (.home, "inbox"): place = .inbox
        case (.inbox, "open"): try await chat.open(argument)
        case (.detail(let id), "comment"): try await comment(argument, on: id)
        case (.detail(let id), "sheet"): place = .sheet(id)
        case (.sheet(let id), "back"): place = .detail(id)
        case (_, "back"):
            followingSaved?.cancel()
            place = .home
        case (.sheet(let id), _): try await act(command, argument, on: id)
        default: throw Refusal("\(command) is no command of this screen.")
        }
    }

    private func post(_ id: String) throws -> PostRow {
        guard let posts, let index = posts.ids.firstIndex(of: id) else { throw Refusal("The post is gone.") }
        return posts.rows[index]
    }

    private func compose() async throws {
        let form = await shell.terminal.form("Title", "Text", "Picture (a file, or nothing)")
        // The app chooses the id, as with Firestore's `setData`.
        let id = NewID.make("thought")
        let image = try pictureFile(form[2])
        try await shell.write(
            WritePostMutation(
                input: CreateThoughtInput(
                    id: .value(id), category: .serious, title: Given(form[0].isEmpty ? nil : form[0]), text: form[1]),
                image: Given(image)), objects: [id])
    }

    private func open(_ number: String) async throws {
        guard let posts else { throw Refusal("The list is not read yet.") }
        let id = try posts.row(number).id
        (place, comments) = (.detail(id), nil)
        let list = try await shell.client.live(
            CommentsQuery(post: id, first: 50), changes: CommentChangesSubscription(post: id))
        followingComments = list.onChange { [weak self] rows in
            self?.comments = rows
            self?.draw()
        }
    }

    /// Shows the store's list at once, then the server's list if there is a network.
    private func showSaved() async throws {
        place = .saved
        let stored = try await shell.client.observe(SavedQuery())
        followingSaved = Task { [weak self] in
            await self?.shell.attempt {
                for try await value in stored {
                    self?.saved = value.value?.viewer?.savedThoughts.nodes.compactMap { $0?.postRow } ?? []
                    self?.draw()
                }
            }
        }
        Task { [shell] in _ = try? await shell.client.fetch(SavedQuery()) }
    }

    private func comment(_ text: String, on post: String) async throws {
        let id = NewID.make("comment")
        try await shell.write(
            AddCommentMutation(input: AddCommentInput(id: .value(id), subjectId: post, text: text)),
            objects: [post, id], patches: [RecordPatch(post, [("commentCount", .add(1))])])
    }

    /// Performs an entry of the sheet.
    private func act(_ command: String, _ argument: String, on id: String) async throws {
        let row = try post(id)
        switch command {
        case "like" where row.viewerHasLiked:
            try await shell.write(
                UnlikeMutation(input: UnlikeThoughtInput(thoughtId: id)), objects: [id],
                patches: [RecordPatch(id, [("viewerHasLiked", .set(.boolean(false))), ("likeCount", .add(-1))])])
        case "like":
            try await shell.write(
                LikeMutation(input: LikeThoughtInput(thoughtId: id)), objects: [id],
                patches: [RecordPatch(id, [("viewerHasLiked", .set(.boolean(true))), ("likeCount", .add(1))])])
        case "save" where row.viewerHasSaved:
            try await shell.write(
                UnsaveMutation(input: UnsaveThoughtInput(thoughtId: id)), objects: [id],
                patches: [RecordPatch(id, [("viewerHasSaved", .set(.boolean(false)))])])
        case "save":
            try await shell.write(
                SaveMutation(input: SaveThoughtInput(thoughtId: id)), objects: [id],
                patches: [RecordPatch(id, [("viewerHasSaved", .set(.boolean(true)))])])
        case "share":
            // The link is needed now, so the request is not queued: without a network it fails.
            let answer = try await shell.client.send(ShareMutation(input: ShareThoughtInput(thoughtId: id)))
            shell.notice = answer.shareThought?.url ?? ""
        case "message": try await chat.write(to: row.author.id, argument)
        case "delete":
            place = .home
            try await shell.write(DeletePostMutation(input: DeleteThoughtInput(id: id)), objects: [id])
        default: throw Refusal("\(command) is no command of this screen.")
        }
    }
}
