import Terminal
import TertuliaClient

/// Random thoughts in Funny, Serious, Crazy and Popular.
@main struct Rndm {
    @MainActor static func main() async throws {
        let shell = try await Shell(
            "rndm", .generated,
            mutations: [
                PostThoughtMutation.self, EditThoughtMutation.self, DeleteThoughtMutation.self, LikeMutation.self,
                UnlikeMutation.self, AddCommentMutation.self, EditCommentMutation.self, DeleteCommentMutation.self,
            ])
        try await shell.run(RndmScreens(shell))
    }
}

@MainActor final class RndmScreens: Screens {
    private enum Tab: String, CaseIterable { case funny, serious, crazy, popular }

    private let shell: Shell
    private var tab = Tab.funny
    private var list: LiveList<ThoughtsQuery>?
    private var thoughts: LiveRows<ThoughtRow>?
    private var followingThoughts: Observation?
    /// The thought whose comments are shown.
    private var opened: String?
    private var comments: LiveRows<CommentRow>?
    private var followingComments: Observation?

    init(_ shell: Shell) { self.shell = shell }

    // MARK: - Lists

    /// Shows the thoughts of the account that is signed in now, or nothing where nobody is signed in.
    func begin() async throws {
        close()
        (list, thoughts, followingThoughts) = (nil, nil, nil)
        if shell.account != nil { try await show(tab) }
    }

    private func show(_ tab: Tab) async throws {
        self.tab = tab
        let isPopular = tab == .popular
        let category = isPopular ? nil : [ThoughtCategory(rawValue: tab.rawValue.uppercased())]
        let order = isPopular ? ThoughtOrder.mostLiked : .newest
        let list = try await shell.client.live(
            ThoughtsQuery(
                filter: .value(ThoughtFilter(categories: Given(category))), order: order, first: 50),
            changes: ThoughtChangesSubscription(
                filter: .value(FeedFilter(kinds: .value([.thought]), categories: Given(category))), order: order))
        self.list = list
        thoughts = nil
        followingThoughts = list.onChange { [weak self] rows in
            self?.thoughts = rows
            self?.draw()
        }
    }

    private func open(_ thought: String) async throws {
        opened = thought
        comments = nil
        let list = try await shell.client.live(
            CommentsQuery(thought: thought, first: 50), changes: CommentChangesSubscription(thought: thought))
        followingComments = list.onChange { [weak self] rows in
            self?.comments = rows
            self?.draw()
        }
    }

    private func close() { (opened, comments, followingComments) = (nil, nil, nil) }

    // MARK: - Screens

    func draw() {
        if shell.account == nil {
            shell.terminal.draw("rndm · Sign in", shell.footer, commands: "signup · signin")
        } else if let opened {
            drawComments(of: opened)
        } else {
            drawThoughts()
        }
    }

    private func drawThoughts() {
        let tabs = Tab.allCases.map { $0 == tab ? "[\($0)]" : "\($0)" }.joined(separator: " ")
        var lines = [tabs]
        let deleting = shell.waiting(DeleteThoughtMutation.self, "id")
        for (number, (id, row)) in zip(1..., zip(thoughts?.ids ?? [], thoughts?.rows ?? [])) {
            lines += deleting.contains(id) ? ["\(number). ⧗ deleted"] : card(row, "\(number). ")
        }
        lines += shell.waiting(PostThoughtMutation.self, "text").map { "⧗ \($0)" } + shell.footer
        shell.terminal.draw(
            "rndm · \(tab) · \(phase(thoughts?.phase))", lines,
            commands: "\(Tab.allCases.map(\.rawValue).joined(separator: " · ")) · post · like N · open N · edit N · "
                + "delete N · more · logout")
    }

    private func drawComments(of thought: String) {
        var lines: [String] = []
        if let thoughts, let index = thoughts.ids.firstIndex(of: thought) { lines = card(thoughts.rows[index], "") }
        for (number, row) in zip(1..., comments?.rows ?? []) {
            let edited = row.editedAt == nil ? "" : " · edited"
            lines.append("\(number). \(row.author.displayName): \(row.text)\(edited)\(row.viewerCanEdit ? " …" : "")")
        }
        lines += shell.waiting(AddCommentMutation.self, "text").map { "⧗ \($0)" } + shell.footer
        shell.terminal.draw(
            "rndm · Comments · \(phase(comments?.phase))", lines, commands: "say TEXT · edit N · delete N · back")
    }

    private func card(_ row: ThoughtRow, _ number: String) -> [String] {
        let star = row.viewerHasLiked ? "★" : "☆"
        return [
            "\(number)\(row.author.displayName) · \(minute(row.createdAt)) · \(star) \(row.likeCount) · "
                + "✎ \(row.commentCount)\(row.viewerCanEdit ? " …" : "")", "   \(row.text)",
        ]
    }

    private func phase<Row>(_ phase: LiveRows<Row>.Phase?) -> String { phase.map { "\($0)" } ?? "loading" }

    // MARK: - Commands

    func perform(_ command: String, _ argument: String) async throws {
        if let tab = Tab(rawValue: command), shell.account != nil { return try await show(tab) }
        switch (command, opened) {
        case ("signup", _): try await shell.signUp()
        case ("signin", _): try await shell.signIn()
        case ("logout", _): try await shell.signOut()
        case ("say", let thought?): try await say(argument, on: thought)
        case ("edit", _?): try await editComment(argument)
        case ("delete", let thought?): try await deleteComment(argument, of: thought)
        case ("back", _?): close()
        case ("post", nil): try await post()
        case ("like", nil): try await like(argument)
        case ("open", nil): try await open(thought(argument).id)
        case ("edit", nil): try await edit(argument)
        case ("delete", nil): try await delete(argument)
        case ("more", nil): try await list?.loadMore()
        default: throw Refusal("\(command) is no command of this screen.")
        }
    }

    private func thought(_ number: String) throws -> (id: String, row: ThoughtRow) {
        guard let thoughts else { throw Refusal("The list is not read yet.") }
        return try thoughts.row(number)
    }

    private func post() async throws {
        let form = await shell.terminal.form("Category", "Text")
        guard let category = Tab(rawValue: form[0].lowercased()), category != .popular else {
            throw Refusal("The category is funny, serious or crazy.")
        }
        let id = NewID.make("thought")
        try await shell.write(
            PostThoughtMutation(
                input: CreateThoughtInput(
                    id: .value(id), category: ThoughtCategory(rawValue: category.rawValue.uppercased()), text: form[1])),
            objects: [id])
    }

    private func like(_ number: String) async throws {
        let (id, row) = try thought(number)
        let liked = !row.viewerHasLiked
        let patch = RecordPatch(id, [("viewerHasLiked", .set(.boolean(liked))), ("likeCount", .add(liked ? 1 : -1))])
        if liked {
            try await shell.write(
                LikeMutation(input: LikeThoughtInput(thoughtId: id)), objects: [id], patches: [patch])
        } else {
            try await shell.write(
                UnlikeMutation(input: UnlikeThoughtInput(thoughtId: id)), objects: [id], patches: [patch])
        }
    }

    private func edit(_ number: String) async throws {
        let (id, row) = try thought(number)
        guard row.viewerCanEdit else { throw Refusal("That is somebody else's thought.") }
        let text = await shell.terminal.form("Text")[0]
        try await shell.write(
            EditThoughtMutation(input: UpdateThoughtInput(id: id, text: .value(text))), objects: [id],
            patches: [RecordPatch(id, [("text", .set(.string(text)))])])
    }

    private func delete(_ number: String) async throws {
        let (id, row) = try thought(number)
        guard row.viewerCanEdit else { throw Refusal("That is somebody else's thought.") }
        try await shell.write(DeleteThoughtMutation(input: DeleteThoughtInput(id: id)), objects: [id])
    }

    /// Adds a comment. The server counts the comments; the patch shows the new count before the server confirms it.
    private func say(_ text: String, on thought: String) async throws {
        let id = NewID.make("comment")
        try await shell.write(
            AddCommentMutation(input: AddCommentInput(id: .value(id), subjectId: thought, text: text)),
            objects: [thought, id], patches: [RecordPatch(thought, [("commentCount", .add(1))])])
    }

    private func comment(_ number: String) throws -> (id: String, row: CommentRow) {
        guard let comments else { throw Refusal("The list is not read yet.") }
        let found = try comments.row(number)
        guard found.row.viewerCanEdit else { throw Refusal("That is somebody else's comment.") }
        return found
    }

    private func editComment(_ number: String) async throws {
        let id = try comment(number).id
        let text = await shell.terminal.form("Text")[0]
        try await shell.write(
            EditCommentMutation(input: UpdateCommentInput(id: id, text: text)), objects: [id],
            patches: [RecordPatch(id, [("text", .set(.string(text)))])])
    }

    private func deleteComment(_ number: String, of thought: String) async throws {
        let id = try comment(number).id
        try await shell.write(
            DeleteCommentMutation(input: DeleteCommentInput(id: id)), objects: [thought, id],
            patches: [RecordPatch(thought, [("commentCount", .add(-1))])])
    }
}
