@testable import App

/// Operations that use every field, argument and input field of the SDL's changes.
enum ChangeDocuments {
    static let query = """
        query Changes($after: String!) { changeCursor changes(after: $after, scopes: [
          {feed: {kinds: [EVENT]}}, {events: {}}, {nodeIds: ["\(worldID(.thought, 0x201))"]},
          {commentsOf: "\(worldID(.thought, 0x201))"}, {mailbox: NOTIFICATIONS}
        ], first: 50) {
          edges { cursor node { kind nodeId cursor node { id } } } nodes { kind }
          pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
        } }
        """

    static let messages = """
        query Messages($after: String!) {
          changes(after: $after, scopes: [{messagesOf: "\(worldID(.conversation, 1))"}]) { nodes { kind } }
        }
        """

    /// By the name of the field; each is changed by `script`.
    static func subscriptions(after: String) -> [(field: String, selection: String)] {
        let arguments = [
            ("feedChanges", "filter: {kinds: [THOUGHT]}"),
            ("eventChanges", "filter: {startsAfter: \"2027-01-01T00:00:00Z\"}"),
            ("nodeChanges", "ids: [\"\(worldID(.thought, 0x201))\"]"),
            ("commentChanges", "subjectId: \"\(worldID(.thought, 0x201))\""),
            ("messageChanges", "conversationId: \"\(worldID(.conversation, 0x601))\""),
        ]
        return arguments.map { field, arguments in
            let subject =
                switch field {
                case "commentChanges": " subject { id commentCount }"
                case "messageChanges": " conversation { id unreadCount }"
                default: ""
                }
            let place =
                switch field {
                case "nodeChanges": ""
                case "feedChanges": " position(order: MOST_LIKED)"
                default: " position"
                }
            let selection = "{ kind nodeId\(place) cursor node { id }\(subject) }"
            return (field, "\(field)(\(arguments), after: \"\(after)\") \(selection)")
        } + [
            (
                "conversationChanges",
                "conversationChanges(after: \"\(after)\") { kind nodeId position cursor node { id } }"
            ),
            (
                "notificationChanges",
                "notificationChanges(after: \"\(after)\") { kind nodeId position cursor node { id } }"
            ),
            ("viewerChanges", "viewerChanges(after: \"\(after)\") { viewer { id } cursor }"),
            ("sessionChanges", "sessionChanges { state viewer { id } }"),
        ]
    }

    static let script = """
        update notifications set read_at = now() where id = '\(worldUUID(0x801))';
        update thoughts set text = 'Changed.' where id = '\(worldUUID(0x201))';
        update events set name = 'Changed' where id = '\(worldUUID(0x301))';
        update comments set text = 'Changed.' where id = '\(worldUUID(0x401))';
        update users set bio = 'Changed.' where username = 'ana';
        update messages set text = 'Changed.' where id = '\(worldUUID(0x701))';
        update conversation_members set last_read_number = 1
        where conversation_id = '\(worldUUID(0x601))' and user_id = '\(worldUUID(0xA))';
        """
}
