import GraphQL
import Postgres

struct UpdateComment: Mutation {
    static let name = "updateComment"
    static let isAuthorship = true
    static let sharesCommit = true

    let id: UUID
    private let text: String
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.comment)
        var texts = InputText()
        text = texts.required(try input.decode("text"), "text", "The comment", Comment.textLength)
        userErrors = texts.errors
    }

    var write: SQL {
        """
        update comments c set text = \(text), edited_at = date_trunc('milliseconds', now()) \
        where c.id = \(id) and c.author_id = viewer_id() and \(Comment.isVisible)
        """
    }

    var result: SQL? {
        """
        select \(unsafe: Comment.columns) from (select) as one left join comments c on c.id = \(id) \
        and \(Comment.isVisible) where case when c.id is null then refuse('NOT_FOUND') \
        when c.author_id <> viewer_id() then refuse('FORBIDDEN') else true end
        """
    }

    static func replay(_ outcome: MutationOutcome) -> SQL? { CommentsByID(ids: [outcome.id]).sql }

    static func object(_ row: Row?, _ outcome: MutationOutcome) -> Comment? { row.map { Comment(row: $0) } }
}
