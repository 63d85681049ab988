import GraphQL
import Postgres

struct CreateThought: ThoughtMutation {
    static let name = "createThought"
    static let sharesCommit = true
    static let imageArgument: ImageArgument? = ImageArgument(name: "image")
    static let isAuthorship = true

    let id: UUID
    private let category: ThoughtCategory
    private let title: String?
    private let text: String
    private let imageID: UUID?
    private let status: ThoughtStatus
    private let onConflict: OnConflict
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.newID(.thought, given: input.decode("id"))
        category = try input.decode("category")
        status = try input.decode("status")
        onConflict = try input.decode("onConflict")
        var texts = InputText()
        title = texts.optional(try input.decode("title"), "title", "The title", maximum: Thought.titleLength)
        text = texts.required(try input.decode("text"), "text", "The text", Thought.textLength)
        imageID = try input.reference(.image, "imageId")
        userErrors = texts.errors
    }

    var storesImage: SQL { takesInput }

    /// True if the input is written: an existing thought is kept as it is unless `onConflict` is OVERWRITE.
    private var takesInput: SQL {
        onConflict == .overwrite ? "true" : "not exists (select from thoughts where id = \(id))"
    }

    private var isOwnImage: SQL {
        "(\(imageID)::uuid is null or exists (select from images i where i.id = \(imageID) and i.owner_id = viewer_id()))"
    }

    var write: SQL {
        """
        insert into thoughts (id, author_id, category, title, text, image_id, status, published_at) \
        select \(id), viewer_id(), \(category.rawValue), \(title), \(text), \(imageID), \(status.rawValue), \
        case when \(status == .published) then date_trunc('milliseconds', now()) end \
        where case when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') \
        when not \(isOwnImage) and \(takesInput) then refuse('NOT_FOUND') else true end
        """
    }

    var result: SQL? { Thought.createdByViewer(id) }

    static let identity: String? = "thoughts_pkey"

    var existing: SQL? { Thought.createdByViewer(id) }

    /// A thought that is published already keeps its `publishedAt`, and so its place in lists.
    var overwrite: SQL? {
        guard onConflict == .overwrite else { return nil }
        return """
            update thoughts t set category = \(category.rawValue), title = \(title), text = \(text), \
            image_id = \(imageID), status = \(status.rawValue), published_at = case when \(status == .published) \
            then coalesce(t.published_at, date_trunc('milliseconds', now())) end, \
            updated_at = date_trunc('milliseconds', now()) \
            where t.id = \(id) and t.author_id = viewer_id() and (\(isOwnImage) or refuse('NOT_FOUND'))
            """
    }
}
