import GraphQL
import Postgres

/// Succeeds too if the viewer has already left the conversation.
struct LeaveConversation: Mutation {
    static let name = "leaveConversation"

    let id: UUID

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.conversation, "conversationId")
    }

    var write: SQL { "select leave_conversation(\(id)) or refuse('NOT_FOUND')" }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Deleted? {
        Deleted(id: TypeID(.conversation, outcome.id))
    }
}
