import GraphQL
import Postgres

struct UpdateThought: ThoughtMutation {
    static let name = "updateThought"
    static let sharesCommit = true
    static let imageArgument: ImageArgument? = ImageArgument(name: "image")
    static let isAuthorship = true

    let id: UUID
    private let category: String?
    private let title: Patch<String>
    private let text: String?
    private let image: Patch<UUID>
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.thought)
        category = try input.patch(ThoughtCategory.self, "category")?.rawValue
        image = try input.patchReference(.image, "imageId")
        var texts = InputText()
        title = texts.patch(try input.decode("title"), "title", "The title", maximum: Thought.titleLength)
        text = try input.patch(String.self, "text").map { texts.required($0, "text", "The text", Thought.textLength) }
        userErrors = texts.errors
    }

    var storesImage: SQL { "exists (select from thoughts where id = \(id) and author_id = viewer_id())" }

    var write: SQL {
        """
        update thoughts t set category = coalesce(\(category), t.category), text = coalesce(\(text), t.text), \
        title = case when \(title.isPresent) then \(title.value) else t.title end, \
        image_id = case when \(image.isPresent) then \(image.value) else t.image_id end, \
        updated_at = date_trunc('milliseconds', now()) \
        where t.id = \(id) and t.author_id = viewer_id() \
        and (\(image.value)::uuid is null or exists (select from images i where i.id = \(image.value) \
        and i.owner_id = viewer_id()) or refuse('NOT_FOUND'))
        """
    }

    var result: SQL? { Thought.ownedByViewer(id) }
}
