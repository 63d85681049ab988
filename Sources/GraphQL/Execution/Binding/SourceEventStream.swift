/// The events of a subscription, each completed as the value of its root field.
/// Spec: 6.2.3.1 Source Stream
public struct SourceEventStream: Sendable {
    let makeIterator: @Sendable () -> EventIterator

    final class EventIterator {
        let next: () async throws -> CompletedColumn?

        init(_ next: @escaping () async throws -> CompletedColumn?) { self.next = next }
    }

    @usableFromInline
    init<Events: AsyncSequence & Sendable>(_ events: Events) where Events.Element: FieldOutput {
        makeIterator = {
            var iterator = events.makeAsyncIterator()
            return EventIterator { try await iterator.next().map { Events.Element.completeOutput([$0]) } }
        }
    }
}
