import Terminal
import TertuliaClient

/// Private messages: the inbox, and one open conversation.
@MainActor final class Chat {
    private let shell: Shell
    private var inbox: LiveRows<ConversationRow>?
    private var followingInbox: Observation?
    private var opened: String?
    private var messages: LiveRows<MessageRow>?
    private var followingMessages: Observation?
    private var lastRead: String?

    init(_ shell: Shell) { self.shell = shell }

    func begin() async throws {
        (inbox, followingInbox) = (nil, nil)
        close()
        guard shell.account != nil else { return }
        let list = try await shell.client.live(InboxQuery(first: 50), changes: InboxChangesSubscription())
        try await list.setPinned(true)
        followingInbox = list.onChange { [weak self] rows in
            self?.inbox = rows
            self?.shell.redraw()
        }
    }

    func open(_ number: String) async throws {
        guard let inbox else { throw Refusal("The list is not read yet.") }
        let id = try inbox.row(number).id
        opened = id
        let list = try await shell.client.live(
            MessagesQuery(conversation: id, first: 50), changes: MessageChangesSubscription(conversation: id))
        followingMessages = list.onChange { [weak self] rows in
            self?.messages = rows
            self?.shell.redraw()
            guard let newest = rows.ids.first else { return }
            Task { await self?.shell.attempt { try await self?.read(upTo: newest, in: id) } }
        }
    }

    private func read(upTo message: String, in conversation: String) async throws {
        guard message != lastRead else { return }
        lastRead = message
        try await shell.write(
            MarkReadMutation(input: MarkConversationReadInput(conversationId: conversation, messageId: message)),
            objects: [conversation, message], patches: [RecordPatch(conversation, [("unreadCount", .set(.int(0)))])])
    }

    private func close() { (opened, messages, followingMessages) = (nil, nil, nil) }

    // MARK: - Screens

    func drawInbox() {
        let lines = zip(1..., inbox?.rows ?? []).map { number, row in
            let names = row.participants.compactMap(\.user?.displayName).joined(separator: ", ")
            return "\(number). \(names) · \(row.lastMessage?.text ?? "") · \(row.unreadCount) unread"
        }
        shell.terminal.draw("posts · Inbox", lines + waiting + shell.footer, commands: "open N · back")
    }

    /// - Returns: whether a conversation is open.
    func draw() -> Bool {
        guard opened != nil else { return false }
        let lines = (messages?.rows ?? []).reversed().map { "\($0.author?.displayName ?? "somebody"): \($0.text)" }
        shell.terminal.draw("posts · Conversation", lines + waiting + shell.footer, commands: "say TEXT · back")
        return true
    }

    private var waiting: [String] { shell.waiting(SendMessageMutation.self, "text").map { "⧗ \($0)" } }

    // MARK: - Commands

    /// - Returns: true where a conversation is open: the command was for that conversation.
    func perform(_ command: String, _ argument: String) async throws -> Bool {
        guard let opened else { return false }
        switch command {
        case "say": try await say(argument, in: opened)
        case "back": close()
        default: throw Refusal("\(command) is no command of this screen.")
        }
        return true
    }

    /// A conversation that the inbox lacks begins under an id that the app chooses, so that a message to it can be
    /// queued.
    func write(to person: String, _ text: String) async throws {
        if let inbox, let index = inbox.rows.firstIndex(where: { $0.participants.contains { $0.user?.id == person } }) {
            return try await say(text, in: inbox.ids[index])
        }
        let id = NewID.make("conversation")
        try await shell.write(
            StartConversationMutation(input: StartConversationInput(id: .value(id), participantIds: [person])),
            objects: [id])
        try await say(text, in: id)
    }

    private func say(_ text: String, in conversation: String) async throws {
        let id = NewID.make("message")
        try await shell.write(
            SendMessageMutation(input: SendMessageInput(id: .value(id), conversationId: conversation, text: text)),
            objects: [conversation, id])
    }
}
