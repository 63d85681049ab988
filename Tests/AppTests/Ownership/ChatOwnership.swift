@testable import App

/// Conversation 601 is ana's and ben's; 602 theirs and the moderator's, but ben has left it.
extension OwnershipMatrix {
    static let chat: [OwnershipCase] = conversations + messages

    private static let pair = "\"\(worldID(.conversation, 0x601))\""
    private static let group = "\"\(worldID(.conversation, 0x602))\""
    private static let image = "\"\(worldID(.image, 0x501))\""
    private static func user(_ low: UInt64) -> String { "\"\(worldID(.user, low))\"" }
    private static func message(_ low: UInt64) -> String { "\"\(worldID(.message, low))\"" }

    private static let conversations: [OwnershipCase] = [
        OwnershipCase(
            "startConversation", "of ana and ben", input: "participantIds: [\(user(0xA)), \(user(0xB))]",
            ana: .data, ben: .data, mod: .data, zoe: .signUpRequired),
        OwnershipCase(
            "startConversation", "the id of another's", input: "id: \(pair), participantIds: [\(user(0xC))]",
            ana: .userError("TAKEN id"), ben: .userError("TAKEN id"), mod: .userError("REQUIRED participantIds"),
            zoe: .signUpRequired),
        OwnershipCase(
            "startConversation", "with nobody who exists", input: "participantIds: [\(user(0xFF))]",
            ana: .notFound, ben: .notFound, mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "markConversationRead", "of ana and ben", input: "conversationId: \(pair), messageId: \(message(0x702))",
            ana: .data, ben: .data, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "markConversationRead", "that ben has left",
            input: "conversationId: \(group), messageId: \(message(0x703))",
            ana: .data, ben: .notFound, mod: .data, zoe: .notFound),
        OwnershipCase(
            "markConversationRead", "up to a message of another",
            input: "conversationId: \(pair), messageId: \(message(0x703))",
            ana: .notFound, ben: .notFound, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "leaveConversation", "of ana and ben", input: "conversationId: \(pair)",
            ana: .data, ben: .data, mod: .notFound, zoe: .notFound),
    ]

    private static let messages: [OwnershipCase] = [
        OwnershipCase(
            "sendMessage", "to ana and ben", input: "conversationId: \(pair), text: \"x\"",
            ana: .data, ben: .data, mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "sendMessage", "where ben has left", input: "conversationId: \(group), text: \"x\"",
            ana: .data, ben: .notFound, mod: .data, zoe: .signUpRequired),
        OwnershipCase(
            "sendMessage", "an image of ana's", input: "conversationId: \(pair), text: \"x\", imageId: \(image)",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "sendMessage", "an id of ana's", input: "id: \(message(0x701)), conversationId: \(pair), text: \"x\"",
            ana: .data, ben: .userError("TAKEN id"), mod: .notFound, zoe: .signUpRequired),
        OwnershipCase(
            "updateMessage", "ana's, to ben", input: "id: \(message(0x701)), text: \"x\"",
            ana: .data, ben: .forbidden, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "updateMessage", "ana's, where ben has left", input: "id: \(message(0x703)), text: \"x\"",
            ana: .data, ben: .notFound, mod: .forbidden, zoe: .notFound),
        OwnershipCase(
            "deleteMessage", "ana's, to ben", 0x701, input: "id: \(message(0x701))",
            ana: .data, ben: .forbidden, mod: .notFound, zoe: .notFound),
        OwnershipCase(
            "deleteMessage", "ana's, to the anonymous account", 0x704, input: "id: \(message(0x704))",
            ana: .data, ben: .notFound, mod: .notFound, zoe: .forbidden),
    ]
}
