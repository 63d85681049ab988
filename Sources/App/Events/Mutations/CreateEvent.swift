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
    private let onConflict: OnConflict
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try context.newID(.event, given: input.decode("id"))
        startsAt = try input.decode("startsAt")
        endsAt = try input.decode("endsAt")
        onConflict = try input.decode("onConflict")
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

    var storesImage: SQL { takesInput }

    /// True if the input is written: an existing event is kept as it is unless `onConflict` is OVERWRITE.
    private var takesInput: SQL {
        onConflict == .overwrite ? "true" : "not exists (select from events where id = \(id))"
    }

    private var isOwnImage: SQL {
        "(\(imageID)::uuid is null or exists (select from images i where i.id = \(imageID) and i.owner_id = viewer_id()))"
    }

    var write: SQL {
        """
        insert into events (id, author_id, name, description, location, image_id, starts_at, ends_at, time_zone) \
        select \(id), viewer_id(), \(title), \(description), \(location), \(imageID), \(startsAt), \(endsAt), \
        \(timeZone) where case when not viewer_is_member() then refuse('FORBIDDEN', 'SIGN_UP_REQUIRED') \
        when not \(isOwnImage) and \(takesInput) then refuse('NOT_FOUND') \
        else refuse_user_errors(\(timeZoneErrors)) end
        """
    }

    var result: SQL? { Event.createdByViewer(id) }

    static let identity: String? = "events_pkey"

    var existing: SQL? { Event.createdByViewer(id) }

    /// A cancelled event stays cancelled.
    var overwrite: SQL? {
        guard onConflict == .overwrite else { return nil }
        return """
            update events e set name = \(title), description = \(description), location = \(location), \
            image_id = \(imageID), starts_at = \(startsAt), ends_at = \(endsAt), time_zone = \(timeZone), \
            updated_at = date_trunc('milliseconds', now()) \
            where e.id = \(id) and e.author_id = viewer_id() and (\(isOwnImage) or refuse('NOT_FOUND'))
            """
    }
}
