import GraphQL
import Postgres

struct CreateThought: ThoughtMutation {
    static let name = "createThought"
    static let imageArgument: ImageArgument? = ImageArgument(name: "image")
    static let isAuthorship = true

    let id: UUID
    private let category: ThoughtCategory
    private let title: String?
    private let text: String
    private let imageID: UUID?
    private let status: ThoughtStatus
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.newID(.thought, given: input.decode("id"))
        category = try input.decode("category")
        status = try input.decode("status")
        var texts = InputText()
        title = texts.optional(try input.decode("title"), "title", "The title", maximum: Thought.titleLength)
        text = texts.required(try input.decode("text"), "text", "The text", Thought.textLength)
        imageID = try input.reference(.image, "imageId")
        userErrors = texts.errors
    }

    var storesImage: SQL { isNew }

    /// Where it is there already the input is ignored.
    private var isNew: SQL { "not exists (select from thoughts where id = \(id))" }

    var write: SQL {
        """
        insert into thoughts (id, author_id, category, title, text, image_id, status, published_at) \
        select \(id), viewer_id(), \(category.rawValue), \(title), \(text), \(imageID), \(status.rawValue), \
        case when \(status == .published) then date_trunc('milliseconds', now()) end \
        where case when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') \
        when \(imageID)::uuid is not null \
        and not exists (select from images i where i.id = \(imageID) and i.owner_id = viewer_id()) and \(isNew) \
        then refuse('NOT_FOUND') else true end \
        on conflict (id) do nothing
        """
    }

    var result: SQL? { Thought.createdByViewer(id) }
}
