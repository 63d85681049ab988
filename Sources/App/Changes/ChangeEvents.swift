import GraphQL

/// The events of a subscription field, out of the changes that concern it.
struct ChangeEvents<Event: SharedEvent>: RestingEvents {
    let changes: ChangeStream
    /// Makes the event for the subscriber; nil where there is nothing to tell.
    let tell: @Sendable (MatchedChange) async throws -> Event?
    /// Makes the event for all parked subscribers who share it.
    let share: @Sendable (MatchedChange) async throws -> Event

    var position: StreamPosition? { changes.position }

    func event(of change: MatchedChange) async throws -> Event { try await share(change) }

    func rest(_ reader: RestingReader<MatchedChange>) -> Bool { changes.rest(reader) }

    func stop() { changes.stop() }

    func makeAsyncIterator() -> Iterator { Iterator(events: self, changes: changes.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        let events: ChangeEvents
        let changes: ChangeStream.Iterator

        func next() async throws -> Event? {
            while let change = try await changes.next() {
                if let event = try await event(of: change) { return event }
            }
            return nil
        }

        /// A change that cannot be read ends the stream; the client is told the cursor to go on from.
        private func event(of change: MatchedChange) async throws -> Event? {
            do {
                return try await events.tell(change)
            } catch {
                if Task.isCancelled { throw error }
                let stream = events.changes
                let masked = error as? ExecutionError ?? stream.context.executionError(for: error)
                throw masked.with(cursor: stream.sent)
            }
        }
    }
}
