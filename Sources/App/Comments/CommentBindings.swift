import GraphQL
import Postgres

enum CommentBindings {
    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.mutation(AddComment.self)
        mutation.mutation(UpdateComment.self)
        mutation.mutation(DeleteComment.self)
    }

    static let types: [Binding] = [comment, payload, deletePayload] + ConnectionBindings.of(Comment.self, "Comment")

    private static let comment: Binding = ObjectBinding<Comment, RequestContext>("Comment") { comment in
        comment.field("id") { TypeID(.comment, $0.id) }
        comment.load("author", for: Everybody.self) { comments, context in context.context.authors(of: comments) }
        comment.load("subject") { comments, context in
            context.context.subjects(comments.map(\.subject)).map { subjects in
                try subjects.map {
                    guard let subject = $0 else { throw ExecutionError.notFound }
                    return subject
                }
            }
        }
        comment.field("text", \.text)
        comment.field("createdAt", \.createdAt)
        comment.field("editedAt", \.editedAt)
        comment.field("viewerCanEdit") { comment, context in comment.authorID == context.viewer?.userID }
        comment.load("viewerCanDelete") { comments, context in
            context.context.viewerCanDelete(comments.map(\.authorID))
        }
    }

    private static let payload: Binding = ObjectBinding<Payload<Comment>, RequestContext>("CommentPayload") {
        $0.field("comment", \.object)
        $0.field("wasCreated", \.wasCreated)
        $0.load("subject") { payloads, context in context.context.subjects(payloads.map { $0.object?.subject }) }
        $0.payloadFields()
    }

    private static let deletePayload: Binding = ObjectBinding<Payload<Deleted>, RequestContext>(
        "DeleteCommentPayload"
    ) {
        $0.field("deletedId") { $0.object?.id }
        $0.load("subject") { payloads, context in context.context.subjects(payloads.map { $0.object?.subject }) }
        $0.payloadFields()
    }
}
