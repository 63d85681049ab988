import GraphQL
import Postgres

/// Each set of people has one conversation. The function `start_conversation` checks the people, finds or creates their
/// conversation, and lets a viewer who had left it join again.
struct StartConversation: Mutation {
    static let name = "startConversation"

    let id: UUID
    private let people: [UUID]
    private let viewer: UUID
    private let clientMutationId: String?
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.newID(.conversation, given: input.decode("id"))
        viewer = try context.requireViewer().userID
        clientMutationId = try Claim.clientMutationId(of: input)
        let ids: [TypeID] = try input.decode("participantIds")
        guard ids.allSatisfy({ $0.kind == .user }) else { throw ExecutionError.notFound }
        people = Set(ids.map(\.uuid)).subtracting([viewer]).sorted()
        if people.isEmpty {
            userErrors = [UserError(.required, "A conversation needs somebody else.", "participantIds")]
        } else if people.count >= Conversation.maximumPeople {
            let message = "A conversation can have \(Conversation.maximumPeople) people at most."
            userErrors = [UserError(.tooMany, message, "participantIds")]
        } else {
            userErrors = []
        }
    }

    /// The outcome holds the key of the set of people, which is known before the write. The conversation's id is not:
    /// an existing conversation keeps its own.
    var outcome: SQL { "jsonb_build_object('id', \(key))" }

    private var key: SQL { "people_key(\(people + [viewer]))" }

    /// Only `start_conversation` knows whether it created the conversation, so the claim's outcome is completed
    /// afterwards.
    var write: SQL {
        """
        with started as materialized (select start_conversation(\(id), \(people)) as is_new), \
        recorded as (update idempotency set outcome = outcome || jsonb_build_object('created', true) from started \
        where is_new and account_id = viewer_id() and mutation = \(Self.name) \
        and client_mutation_id = \(clientMutationId)) \
        select is_new from started
        """
    }

    func wasCreated(_ written: Rows) throws -> Bool { try written.first { $0.bool(0) } ?? false }

    var result: SQL? { Self.byKey(key) }

    static func replay(_ outcome: MutationOutcome) -> SQL? { byKey("\(outcome.id)") }

    private static func byKey(_ key: SQL) -> SQL {
        """
        select \(unsafe: Conversation.columns) from conversations c \
        join conversation_members p on p.conversation_id = c.id and \(unsafe: Conversation.isViewers) \
        where c.people_key = \(key)
        """
    }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Conversation? { row.map { Conversation(row: $0) } }
}
