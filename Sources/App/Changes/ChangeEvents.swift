import GraphQL

/// The events of a subscription field, out of the changes that concern it.
struct ChangeEvents<Event: SharedEvent>: RestingEvents {
    let changes: ChangeStream
    let event: @Sendable (MatchedChange) async throws -> Event

    var position: StreamPosition? { changes.position }

    func event(of change: MatchedChange) async throws -> Event { try await event(change) }

    func rest(_ reader: RestingReader<MatchedChange>) -> Bool { changes.rest(reader) }

    func stop() { changes.stop() }

    func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), event: event) }

    struct Iterator: AsyncIteratorProtocol {
        let changes: ChangeStream.Iterator
        let event: @Sendable (MatchedChange) async throws -> Event

        func next() async throws -> Event? {
            guard let change = try await changes.next() else { return nil }
            return try await event(change)
        }
    }
}
