/// The events of a subscription, each completed as the value of its root field.
/// Spec: 6.2.3.1 Source Stream
public struct SourceEventStream: Sendable {
    let makeIterator: @Sendable () -> EventIterator
    /// nil where a subscriber cannot resume from a position.
    let resumable: (any ResumableEvents)?
    /// nil where a subscriber always waits in a task.
    let parking: Parking?
    /// nil if the source has no last event to send when it is ended.
    let concluding: (any ConcludingEvents)?

    struct Parking: Sendable {
        let park: @Sendable (any ResponseSink, SelectionKey, @escaping Execute) -> Bool
        let stop: @Sendable () -> Void
    }

    typealias Execute = @Sendable (Event) async throws -> Response

    struct Event {
        let complete: @Sendable () -> CompletedColumn
        /// An `EventAudience<Context>`, where `Context` is the subscription's; nil if the event has no audience.
        let audience: AnyObject?
        let position: String?
        let onReceipt: (@Sendable () -> Void)?
    }

    final class EventIterator {
        let next: () async throws -> Event?

        init(_ next: @escaping () async throws -> Event?) { self.next = next }
    }

    @usableFromInline
    init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element: FieldOutput {
        resumable = nil
        parking = nil
        concluding = events as? any ConcludingEvents
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return EventIterator {
                try await iterator.next().map { event in
                    Event(
                        complete: { Events.Element.completeOutput([event]) }, audience: nil, position: nil,
                        onReceipt: nil)
                }
            }
        }
    }

    @usableFromInline
    init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element: SharedEvent {
        resumable = events as? any ResumableEvents
        parking = nil
        concluding = events as? any ConcludingEvents
        makeIterator = { Self.iterator(events) }
    }

    @usableFromInline
    init<Events: ParkableEvents>(_ events: Events) {
        resumable = events
        concluding = events as? any ConcludingEvents
        parking = Parking(
            park: { sink, selection, execute in
                events.park(ParkedReader(sink, selection) { event in try await execute(Event(event)) })
            },
            stop: { events.stop() })
        makeIterator = { Self.iterator(events) }
    }

    private static func iterator<Events: AsyncSequence>(_ events: Events) -> EventIterator
    where Events.Element: SharedEvent {
        var iterator = events.makeAsyncIterator()
        return EventIterator { try await iterator.next().map(Event.init) }
    }
}

extension SourceEventStream.Event {
    fileprivate init(_ event: some SharedEvent) {
        complete = { type(of: event).completeOutput([event]) }
        audience = event.audience
        position = event.position
        onReceipt = event.onReceipt
    }
}
