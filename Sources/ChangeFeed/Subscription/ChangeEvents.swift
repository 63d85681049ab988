import GraphQL

/// The events of a subscription field, made from the changes that concern it.
public struct ChangeEvents<Scope: ChangeScope, Event: SharedEvent>: ParkableEvents {
    let changes: ChangeStream<Scope>
    /// Makes the event for this subscriber; nil if the client gets none.
    let makeEvent: @Sendable (MatchedChange) async throws -> Event?
    /// Makes the event for all parked subscribers that share it.
    let share: @Sendable (MatchedChange) async throws -> Event

    public init(
        _ changes: ChangeStream<Scope>, event: @escaping @Sendable (MatchedChange) async throws -> Event?,
        share: @escaping @Sendable (MatchedChange) async throws -> Event
    ) {
        self.changes = changes
        makeEvent = event
        self.share = share
    }

    public var position: StreamPosition? { changes.position }

    public func park(_ reader: ParkedReader<Event>) -> Bool { changes.park(ChangeReader(reader, share)) }

    public func stop() { changes.stop() }

    public func makeAsyncIterator() -> Iterator { Iterator(events: self, changes: changes.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        let events: ChangeEvents
        let changes: ChangeStream<Scope>.Iterator

        public func next() async throws -> Event? {
            while let change = try await changes.next() {
                if let event = try await event(of: change) { return event }
            }
            return nil
        }

        /// Makes the event. A change that cannot be read ends the stream, with an error that gives the cursor to resume
        /// from.
        private func event(of change: MatchedChange) async throws -> Event? {
            do {
                return try await events.makeEvent(change)
            } catch {
                if Task.isCancelled { throw error }
                let stream = events.changes
                let masked = error as? ExecutionError ?? stream.context.executionError(for: error)
                throw masked.with(cursor: stream.sent)
            }
        }
    }
}
