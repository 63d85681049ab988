import GraphQL
import Postgres

struct UpdateEvent: EventMutation {
    static let name = "updateEvent"
    static let imageArgument: ImageArgument? = ImageArgument(name: "image")
    static let isAuthorship = true

    let id: UUID
    private let title: String?
    private let description: String?
    private let startsAt: Timestamp?
    private let endsAt: Timestamp?
    private let timeZone: Patch<String>
    private let location: Patch<String>
    private let image: Patch<UUID>
    let userErrors: [UserError]

    init(_ input: InputObject, _ context: RequestContext) throws {
        id = try input.id(.event)
        startsAt = try input.patch(Timestamp.self, "startsAt")
        endsAt = try input.patch(Timestamp.self, "endsAt")
        image = try input.patchReference(.image, "imageId")
        var texts = InputText()
        title = try input.patch(String.self, "name").map { texts.required($0, "name", "The name", Event.nameLength) }
        description = try input.patch(String.self, "description").map {
            texts.required($0, "description", "The description", Event.descriptionLength)
        }
        location = texts.patch(
            try input.decode("location"), "location", "The location", maximum: Event.locationLength)
        let zone: Patch<String> = try input.decode("timeZone")
        timeZone =
            switch zone {
            case .value(let name): texts.timeZone(name).map(Patch.value) ?? .null
            case .absent, .null: zone
            }
        userErrors = texts.errors
    }

    var storedErrors: SQL? { "coalesce((select \(errors) from events e where \(isOwn)), '{}')" }

    /// If only one of the two times is given, it is compared with the stored other one. If neither is given, they are
    /// not compared: events were once accepted with an end equal to their start.
    private var errors: SQL {
        """
        array[case when \(startsAt != nil || endsAt != nil) \
        and coalesce(\(endsAt), e.ends_at) <= coalesce(\(startsAt), e.starts_at) \
        then 'ENDS_BEFORE_START endsAt' end, \
        case when not time_zone_exists(\(timeZone.value)) then 'INVALID timeZone' end]
        """
    }

    private var isOwn: SQL { "e.id = \(id) and e.author_id = viewer_id()" }

    var storesImage: SQL { "exists (select from events e where \(isOwn))" }

    var write: SQL {
        """
        update events e set name = coalesce(\(title), e.name), description = coalesce(\(description), e.description), \
        starts_at = coalesce(\(startsAt), e.starts_at), ends_at = coalesce(\(endsAt), e.ends_at), \
        location = case when \(location.isPresent) then \(location.value) else e.location end, \
        time_zone = case when \(timeZone.isPresent) then \(timeZone.value) else e.time_zone end, \
        image_id = case when \(image.isPresent) then \(image.value) else e.image_id end, \
        updated_at = date_trunc('milliseconds', now()) \
        where \(isOwn) and case when \(image.value)::uuid is not null and not exists (select from images i \
        where i.id = \(image.value) and i.owner_id = viewer_id()) then refuse('NOT_FOUND') \
        else refuse_user_errors(\(errors)) end
        """
    }

    var result: SQL? { Event.ownedByViewer(id) }
}
