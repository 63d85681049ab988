/// What happens to the objects of a list, one at a time, for stores that keep their own state, such as ReSwift's.
public enum ObjectEvent<Object: SelectedObject>: Sendable, Equatable {
    /// Whether the changes of the list arrive.
    case objectSubscribed(Bool)
    /// - Parameter index: where the object stands among those that are there then.
    case objectAdded(id: String, Object, index: Int)
    /// - Parameter index: where the object stands now.
    case objectChanged(id: String, Object, index: Int)
    case objectRemoved(id: String)
    /// The list cannot be read. Nothing follows.
    case objectErrored(String)
}

extension LiveList {
    /// The list as events: those that are there come as added, then each change. Applied one after another they give the
    /// list that ``values`` gives. A reader that is slow gets the changes between the states that it has seen, in which
    /// several changes of one object are one.
    public nonisolated var events: AsyncStream<ObjectEvent<Row>> {
        let values = values
        return AsyncStream { continuation in
            let task = Task {
                var last: LiveRows<Row>?
                do {
                    for try await rows in values {
                        for event in ObjectEvent.between(last, rows) { continuation.yield(event) }
                        last = rows
                    }
                } catch is CancellationError {} catch {
                    continuation.yield(.objectErrored("\(error)"))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}

extension ObjectEvent {
    /// What makes one state of a list of another. An object that moves is changed, with its new index.
    static func between(_ last: LiveRows<Object>?, _ next: LiveRows<Object>) -> [ObjectEvent] {
        var events: [ObjectEvent] = []
        let wasLive = last.map { $0.phase == .live }
        if wasLive != (next.phase == .live) { events.append(.objectSubscribed(next.phase == .live)) }
        let kept = Set(next.ids)
        events += (last?.ids ?? []).filter { !kept.contains($0) }.map { .objectRemoved(id: $0) }
        // The ids as the events so far leave them.
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
