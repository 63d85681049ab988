import GraphQL
import Postgres

struct CreateEvent: EventMutation {
    static let name = "createEvent"
    static let imageArgument: ImageArgument? = ImageArgument(name: "image")
    static let isAuthorship = true

    let id: UUID
    private let title: String
    private let description: String
    private let startsAt: Timestamp
    private let endsAt: Timestamp
    private let timeZone: String?
    private let location: String?
    private let imageID: UUID?
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.newID(.event, given: input.decode("id"))
        startsAt = try input.decode("startsAt")
        endsAt = try input.decode("endsAt")
        imageID = try input.reference(.image, "imageId")
        var texts = InputText()
        title = texts.required(try input.decode("name"), "name", "The name", Event.nameLength)
        description = texts.required(
            try input.decode("description"), "description", "The description", Event.descriptionLength)
        location = texts.optional(
            try input.decode("location"), "location", "The location", maximum: Event.locationLength)
        timeZone = texts.timeZone(try input.decode("timeZone"))
        if endsAt <= startsAt { texts.add(.endsBeforeStart) }
        userErrors = texts.errors
    }

    var storedErrors: SQL? { timeZoneErrors }

    private var timeZoneErrors: SQL {
        "array[case when not time_zone_exists(\(timeZone)) then 'INVALID timeZone' end]"
    }

    var storesImage: SQL { isNew }

    /// Where it is there already the input is ignored.
    private var isNew: SQL { "not exists (select from events where id = \(id))" }

    var write: SQL {
        """
        insert into events (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone) \
        select \(id), viewer_id(), \(title), \(description), \(location), \(imageID), \(startsAt), \(endsAt), \
        \(timeZone) where case when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') \
        when \(imageID)::uuid is not null \
        and not exists (select from images i where i.id = \(imageID) and i.owner_id = viewer_id()) and \(isNew) \
        then refuse('NOT_FOUND') \
        else refuse_user_errors(\(timeZoneErrors)) end \
        on conflict (id) do nothing
        """
    }

    var result: SQL? { Event.createdByViewer(id) }
}
