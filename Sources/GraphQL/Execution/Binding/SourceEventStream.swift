/// The events of a subscription, each completed as the value of its root field.
/// Spec: 6.2.3.1 Source Stream
public struct SourceEventStream: Sendable {
    let makeIterator: @Sendable () -> EventIterator
    /// nil where its subscribers have no place to go on from.
    let resumable: (any ResumableEvents)?

    struct Event {
        let complete: @Sendable () -> CompletedColumn
        /// An `EventAudience` of the subscription's context.
        let audience: AnyObject?
        let position: String?
    }

    final class EventIterator {
        let next: () async throws -> Event?

        init(_ next: @escaping () async throws -> Event?) { self.next = next }
    }

    @usableFromInline
    init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element: FieldOutput {
        resumable = nil
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return EventIterator {
                try await iterator.next().map { event in
                    Event(complete: { Events.Element.completeOutput([event]) }, audience: nil, position: nil)
                }
            }
        }
    }

    @usableFromInline
    init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element: SharedEvent {
        resumable = events as? any ResumableEvents
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return EventIterator {
                try await iterator.next().map { event in
                    Event(
                        complete: { Events.Element.completeOutput([event]) }, audience: event.audience,
                        position: event.position)
                }
            }
        }
    }
}
