/// A step in the life of a live list or one of its objects, for stores that keep their own state, such as ReSwift's.
public enum ObjectEvent<Object: SelectedObject>: Sendable, Equatable {
    /// True if the changes of the list arrive from now on; false if they do not arrive yet, or no longer do.
    case objectSubscribed(Bool)
    /// - Parameter index: the object's place when all events up to this one are applied.
    case objectAdded(id: String, Object, index: Int)
    /// - Parameter index: the object's place when all events up to this one are applied; it may be a new one.
    case objectChanged(id: String, Object, index: Int)
    case objectRemoved(id: String)
    /// The list cannot be read. No event follows.
    case objectErrored(String)
}

extension LiveList {
    /// The list as events. A list that can be read begins with `objectSubscribed`. Each object that the list already
    /// has comes next, as added, and the changes follow. The events give the list of ``values`` when they are applied
    /// one after another. Events are made when they are read: a slow reader gets one event for all changes of an object
    /// since its last read.
    public nonisolated var events: ObjectEvents<Row> { ObjectEvents(values: values) }
}

/// The events of a live list, for one reader. Only the events between two states of the list are in memory.
public struct ObjectEvents<Object: SelectedObject>: AsyncSequence, Sendable {
    public typealias Element = ObjectEvent<Object>

    fileprivate let values: AsyncThrowingStream<LiveRows<Object>, any Error>

    public func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var values: AsyncThrowingStream<LiveRows<Object>, any Error>.Iterator
        private var last: LiveRows<Object>?
        /// The events up to `last` that were not read yet, in reverse order.
        private var waiting: [ObjectEvent<Object>] = []
        private var hasEnded = false

        fileprivate init(values: AsyncThrowingStream<LiveRows<Object>, any Error>.Iterator) { self.values = values }

        public mutating func next() async -> ObjectEvent<Object>? {
            while waiting.isEmpty, !hasEnded {
                do {
                    guard let rows = try await values.next() else {
                        hasEnded = true
                        break
                    }
                    waiting = ObjectEvent.between(last, rows).reversed()
                    last = rows
                } catch {
                    hasEnded = true
                    if !(error is CancellationError) { waiting = [.objectErrored("\(error)")] }
                }
            }
            return waiting.popLast()
        }
    }
}

extension ObjectEvent {
    /// The events that turn one state of a list into another. An object that has moved counts as changed.
    static func between(_ last: LiveRows<Object>?, _ next: LiveRows<Object>) -> [ObjectEvent] {
        var events: [ObjectEvent] = []
        let wasLive = last.map { $0.phase == .live }
        if wasLive != (next.phase == .live) { events.append(.objectSubscribed(next.phase == .live)) }
        let kept = Set(next.ids)
        events += (last?.ids ?? []).filter { !kept.contains($0) }.map { .objectRemoved(id: $0) }
        // The ids after the events so far.
        var ids = (last?.ids ?? []).filter(kept.contains)
        let before = Dictionary(zip(last?.ids ?? [], last?.rows ?? []), uniquingKeysWith: { first, _ in first })
        for (index, (id, row)) in zip(next.ids, next.rows).enumerated() {
            if let old = before[id] {
                let isInPlace = index < ids.count && ids[index] == id
                if !isInPlace {
                    ids.removeAll { $0 == id }
                    ids.insert(id, at: index)
                }
                if !isInPlace || old != row { events.append(.objectChanged(id: id, row, index: index)) }
            } else {
                ids.insert(id, at: index)
                events.append(.objectAdded(id: id, row, index: index))
            }
        }
        return events
    }
}
