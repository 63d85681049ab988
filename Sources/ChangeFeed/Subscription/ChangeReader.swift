import GraphQL

/// The reader of a parked subscription, whatever the type of its events.
@usableFromInline
final class ChangeReader: Sendable {
    @usableFromInline let group: ParkedGroup
    @usableFromInline let sink: any ResponseSink
    private let respond: @Sendable (MatchedChange) async throws -> SharedResponse

    /// - Parameter share: makes the event for all parked subscribers that share it.
    init<Event: SharedEvent>(
        _ reader: ParkedReader<Event>, _ share: @escaping @Sendable (MatchedChange) async throws -> Event
    ) {
        group = reader.group
        sink = reader.sink
        respond = { change in try await reader.response(to: try await share(change)) }
    }

    /// The response to a change, which the caller writes to the sinks of all readers of the group.
    func response(to change: MatchedChange) async throws -> SharedResponse { try await respond(change) }
}
