@testable import App

/// Rows of the log about a conversation without an author concern all who take part; with one, that person alone.
enum ChatChangeLog {
    private static func id(_ kind: TypeID.Kind, _ low: UInt64) -> String { "\"\(worldID(kind, low))\"" }

    private static func start(_ people: [UInt64]) -> String {
        let ids = people.map { id(.user, $0) }.joined(separator: ", ")
        return "startConversation(input: {id: \(id(.conversation, 0x6FF)), participantIds: [\(ids)]})"
    }

    static let cases: [ChangeLogCase] = [
        ChangeLogCase(
            .ana, start([0xC]), "conversation 6ff: none -> a,JOINED,c,,6ff", "conversation 6ff: none -> c,JOINED,a,,6ff"
        ),
        ChangeLogCase(.ana, start([0xB])),
        ChangeLogCase(.ben, start([0xA, 0xC]), "conversation 602: b,LEFT,,,602 -> b,JOINED,,,602"),
        ChangeLogCase(
            .ana,
            """
            sendMessage(input: {id: \(id(.message, 0x7FF)), conversationId: \(id(.conversation, 0x601)), text: "x"})
            """,
            "message 7ff: none -> a,,,,601", "conversation 601: ,,,601 -> ,,,601", "notification: none -> b,UNREAD,,,"),
        ChangeLogCase(
            .ana, "updateMessage(input: {id: \(id(.message, 0x701)), text: \"x\"})",
            "message 701: a,,,,601 -> a,,,,601"),
        ChangeLogCase(.ben, "updateMessage(input: {id: \(id(.message, 0x701)), text: \"x\"})"),
        ChangeLogCase(
            .ana, "deleteMessage(input: {id: \(id(.message, 0x701))})", "message 701: a,,,,601 -> none",
            "conversation 601: ,,,601 -> ,,,601"),
        ChangeLogCase(
            .ana,
            """
            markConversationRead(input: {conversationId: \(id(.conversation, 0x601)), messageId: \(id(.message, 0x702))})
            """, "conversation 601: a,JOINED,b,,601 -> a,JOINED,b,,601"),
        ChangeLogCase(
            .mod,
            """
            markConversationRead(input: {conversationId: \(id(.conversation, 0x602)), messageId: \(id(.message, 0x703))})
            """, "conversation 602: c,JOINED,,,602 -> c,JOINED,,,602", "notification: c,UNREAD,,, -> c,READ,,,"),
        ChangeLogCase(
            .ana, "leaveConversation(input: {conversationId: \(id(.conversation, 0x601))})",
            "conversation 601: a,JOINED,b,,601 -> a,LEFT,b,,601"),
        ChangeLogCase(.ben, "leaveConversation(input: {conversationId: \(id(.conversation, 0x602))})"),
        ChangeLogCase(
            .ana, "markNotificationsRead(input: {ids: [\(id(.notification, 0x801))]})",
            "notification: a,UNREAD,,, -> a,READ,,,"),
        ChangeLogCase(.ben, "markNotificationsRead(input: {ids: [\(id(.notification, 0x801))]})"),
    ]
}
