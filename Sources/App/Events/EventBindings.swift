import GraphQL
import Postgres

enum EventBindings {
    static func query(_ query: inout ObjectFields<Root, RequestContext>) {
        query.load("event", plan: { AuthorColumns($0) }) { _, author, context -> Pending<[Event?]> in
            let id: TypeID = try context.arguments.decode("id")
            guard id.kind == .event else { return Pending([nil]) }
            return context.context.start(EventsByID(ids: [id.uuid], author: author)).pending.map { [$0.first] }
        }
        query.load("events", plan: { AuthorColumns.ofNodes($0) }) { _, author, context in
            let filter: EventFilter? = try context.arguments.decode("filter")
            let page = try Page(context.arguments, order: .chronological)
            let statement = EventsPage(filter: filter ?? EventFilter(), page: page, author: author)
            return context.context.start(statement).pending.map { [page.list($0)] }
        }
    }

    static func mutation(_ mutation: inout ObjectFields<Root, RequestContext>) {
        mutation.mutation(CreateEvent.self)
        mutation.mutation(UpdateEvent.self)
        mutation.mutation(CancelEvent.self)
        mutation.mutation(DeleteEvent.self)
        mutation.mutation(Rsvp.self)
        mutation.mutation(CancelRsvp.self)
    }

    static let types: [Binding] =
        [event, payload, deletePayload]
        + ConnectionBindings.of(Event.self, "Event")
        + EventAttendees.bindings

    private static let event: Binding = ObjectBinding<Event, RequestContext>("Event") { event in
        event.field("id") { TypeID(.event, $0.id) }
        event.load("author", for: Everybody.self) { events, context in context.context.authors(of: events) }
        event.field("name", \.name)
        event.field("description", \.description)
        event.field("location", \.location)
        event.load("image", for: Everybody.self) { events, context in
            context.context.images(events.map { ($0.imageID, true) })
        }
        event.field("coverUrl", for: Everybody.self) { event, context in
            context.context.coverURL(
                of: TypeID(.event, event.id), image: event.imageID, isPublic: true, placeholder: nil)
        }
        event.field("startsAt", \.startsAt)
        event.field("endsAt", \.endsAt)
        event.field("timeZone", \.timeZone)
        event.field("cancelledAt", \.cancelledAt)
        event.field("createdAt", \.createdAt)
        event.field("publishedAt") { Optional($0.createdAt) }
        event.field("updatedAt", \.updatedAt)
        event.field("interestedCount", \.interestedCount)
        event.field("goingCount", \.goingCount)
        event.field("commentCount", \.commentCount)
        event.load("comments", plan: { AuthorColumns.ofNodes($0) }) { events, author, context in
            try context.context.comments(of: events.map(\.id), on: .event, author, context.arguments)
        }
        event.load("attendees") { events, context in try EventAttendees.load(events.map(\.id), context) }
        event.field("viewerCanEdit") { event, context in event.authorID == context.viewer?.userID }
        event.load("viewerCanDelete") { events, context in context.context.viewerCanDelete(events.map(\.authorID)) }
        event.load("viewerRsvp") { events, context in context.context.rsvps(events.map(\.id)) }
    }

    private static let payload: Binding = ObjectBinding<Payload<Event>, RequestContext>("EventPayload") {
        $0.field("event", \.object)
        $0.field("wasCreated", \.wasCreated)
        $0.payloadFields()
    }

    private static let deletePayload: Binding = ObjectBinding<Payload<Deleted>, RequestContext>(
        "DeleteEventPayload"
    ) {
        $0.field("deletedId") { $0.object?.id }
        $0.payloadFields()
    }
}

extension RequestContext {
    func rsvps(_ events: [UUID]) -> Pending<[Text?]> {
        guard let viewer else { return Pending(events.map { _ in nil }) }
        return start(ViewerRsvps(viewer: viewer.userID, ids: events)).pending.map { rows in
            let statuses = Dictionary(rows.map { ($0.event, $0.status) }, uniquingKeysWith: { first, _ in first })
            return events.map { statuses[$0] }
        }
    }
}
