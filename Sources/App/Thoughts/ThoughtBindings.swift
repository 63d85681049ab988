import GraphQL
import Postgres

enum ThoughtBindings {
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("thought", plan: { AuthorColumns($0) }) { _, author, context -> Pending<[Thought?]> in
            let id: TypeID = try context.arguments.decode("id")
            guard id.kind == .thought else { return Pending([nil]) }
            return context.context.start(ThoughtByID(id: id.uuid, author: author)).pending.map { [$0.first] }
        }
        query.load("thoughts", plan: { AuthorColumns.ofNodes($0) }) { _, author, context in
            let order: ThoughtOrder = try context.arguments.decode("order")
            let filter: PublishedThoughts.Filter? = try context.arguments.decode("filter")
            let page = try Page(context.arguments, order: order.cursorOrder)
            return context.context.publishedThoughts(filter ?? .init(), page, author).map { [page.list($0)] }
        }
    }

    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.mutation(CreateThought.self)
        mutation.mutation(UpdateThought.self)
        mutation.mutation(DeleteThought.self)
        mutation.mutation(PublishThought.self)
        mutation.mutation(UnpublishThought.self)
        mutation.mutation(LikeThought.self)
        mutation.mutation(UnlikeThought.self)
        mutation.mutation(RateThought.self)
        mutation.mutation(UnrateThought.self)
        mutation.mutation(SaveThought.self)
        mutation.mutation(UnsaveThought.self)
        mutation.mutation(ShareThought.self)
    }

    static let types: [Binding] =
        [thought, RatingSummary.binding, payload, deletePayload, SharedThought.payload]
        + ConnectionBindings.of(Thought.self, "Thought")
        + ThoughtLikers.bindings + SavedThought.bindings

    private static let thought: Binding = ObjectBinding<Thought, RequestContext>("Thought") { thought in
        thought.field("id") { TypeID(.thought, $0.id) }
        thought.load("author", for: Everybody.self) { thoughts, context in context.context.authors(of: thoughts) }
        thought.field("category", \.category)
        thought.field("title", \.title)
        thought.field("text", \.text)
        thought.load("image", for: Everybody.self) { thoughts, context in
            context.context.images(thoughts.map { ($0.imageID, $0.publishedAt != nil) })
        }
        thought.field("coverUrl", for: Everybody.self) { thought, context in
            context.context.coverURL(
                of: TypeID(.thought, thought.id), image: thought.imageID, isPublic: thought.publishedAt != nil,
                placeholder: thought.category)
        }
        thought.field("status", \.status)
        thought.field("createdAt", \.createdAt)
        thought.field("publishedAt", \.publishedAt)
        thought.field("updatedAt", \.updatedAt)
        thought.field("likeCount", \.likeCount)
        thought.field("commentCount", \.commentCount)
        thought.field("saveCount") { thought, context in
            thought.authorID == context.viewer?.userID ? thought.saveCount : nil
        }
        thought.field("shareCount", \.shareCount)
        thought.field("rating", \.rating)
        thought.load("comments", plan: { AuthorColumns.ofNodes($0) }) { thoughts, author, context in
            try context.context.comments(of: thoughts.map(\.id), on: .thought, author, context.arguments)
        }
        thought.load("likers") { thoughts, context in
            try ThoughtLikers.load(thoughts.map(\.id), context)
        }
        thought.field("viewerCanEdit") { thought, context in thought.authorID == context.viewer?.userID }
        thought.load("viewerCanDelete") { thoughts, context in
            context.context.viewerCanDelete(thoughts.map(\.authorID))
        }
        thought.load("viewerHasLiked") { thoughts, context in context.context.marks(.liked, thoughts.map(\.id)) }
        thought.load("viewerHasSaved") { thoughts, context in context.context.marks(.saved, thoughts.map(\.id)) }
        thought.load("viewerRating") { thoughts, context in context.context.ratings(thoughts.map(\.id)) }
    }

    private static let payload: Binding = ObjectBinding<Payload<Thought>, RequestContext>("ThoughtPayload") {
        $0.field("thought", \.object)
        $0.field("wasCreated", \.wasCreated)
        $0.payloadFields()
    }

    private static let deletePayload: Binding = ObjectBinding<Payload<Deleted>, RequestContext>(
        "DeleteThoughtPayload"
    ) {
        $0.field("deletedId") { $0.object?.id }
        $0.payloadFields()
    }
}

extension RequestContext {
    func publishedThoughts(
        _ filter: PublishedThoughts.Filter, _ page: Page, _ author: AuthorColumns
    ) -> Pending<[Thought]> {
        if filter.matchesNothing { return Pending([]) }
        return start(PublishedThoughts(filter: filter, page: page, author: author)).pending
    }

    func marks(_ mark: ViewerMarks.Mark, _ thoughts: [UUID]) -> Pending<[Bool]> {
        guard let viewer else { return Pending(thoughts.map { _ in false }) }
        return start(ViewerMarks(mark: mark, viewer: viewer.userID, ids: thoughts)).pending.map { marked in
            let marked = Set(marked)
            return thoughts.map(marked.contains)
        }
    }

    func ratings(_ thoughts: [UUID]) -> Pending<[Int32?]> {
        guard let viewer else { return Pending(thoughts.map { _ in nil }) }
        return start(ViewerRatings(viewer: viewer.userID, ids: thoughts)).pending.map { rows in
            let stars = Dictionary(rows.map { ($0.thought, $0.stars) }, uniquingKeysWith: { first, _ in first })
            return thoughts.map { stars[$0] }
        }
    }
}
