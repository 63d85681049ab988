import GraphQL

/// The events of a subscription field, out of the changes that concern it.
struct ChangeEvents<Event: Sendable>: AsyncSequence, ResumableEvents {
    let changes: ChangeStream
    let event: @Sendable (MatchedChange) async throws -> Event

    var position: StreamPosition? { changes.position }

    func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), event: event) }

    struct Iterator: AsyncIteratorProtocol {
        var changes: ChangeStream.Iterator
        let event: @Sendable (MatchedChange) async throws -> Event

        mutating func next() async throws -> Event? {
            guard let change = try await changes.next() else { return nil }
            return try await event(change)
        }
    }
}
