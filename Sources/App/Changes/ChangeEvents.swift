import GraphQL

/// The events of a subscription field, out of the changes that concern it.
struct ChangeEvents<Event: Sendable>: AsyncSequence, ResumableEvents {
    let changes: ChangeStream
    let event: @Sendable (MatchedChange) -> Event

    var position: StreamPosition? { changes.position }

    func makeAsyncIterator() -> Iterator { Iterator(changes: changes.makeAsyncIterator(), event: event) }

    struct Iterator: AsyncIteratorProtocol {
        var changes: ChangeStream.Iterator
        let event: @Sendable (MatchedChange) -> Event

        mutating func next() async throws -> Event? { try await changes.next().map(event) }
    }
}
