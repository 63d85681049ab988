import Synchronization

/// Puts the changes of one connection's subscriptions in order. They leave it in the order of the log over all of them,
/// and while one subscription catches up the others wait: so the last cursor that a client got there is enough to resume
/// them all. Of several that send the same change only the last gives its cursor, the others that of the place before
/// it: when the connection breaks between them, the change comes again rather than never.
final class ChangeSequencer: Sendable {
    private enum Stage {
        /// Nobody knows yet what comes.
        case behind
        case sending(ChangePosition)
        /// Has sent all that it was given.
        case asking(ChangeQueue)
    }

    private struct Waiting {
        let position: ChangePosition
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var stages: [Int: Stage] = [:]
        var waiting: [Int: Waiting] = [:]
        var slots = 0
        /// When all have come that a resumed connection is to have; nil once they have, and where it is a new one.
        var completeAt: ContinuousClock.Instant?

        /// A slot that was left stays left.
        mutating func move(_ slot: Int, to stage: Stage) {
            if stages[slot] != nil { stages[slot] = stage }
        }

        /// Whether nobody else owes anything older, or the same before this one.
        func isNext(_ slot: Int, _ position: ChangePosition) -> Bool {
            stages.allSatisfy { other, stage in
                if other == slot { return true }
                return switch stage {
                case .behind: false
                case .sending(let own): (own, other) > (position, slot)
                case .asking(let queue): queue.isIdle
                }
            }
        }

        /// Whether nobody sends the same after this one.
        func isLast(_ slot: Int, _ position: ChangePosition) -> Bool {
            !stages.contains { other, stage in
                if case .sending(position) = stage { other != slot } else { false }
            }
        }

        mutating func takeNext() -> [(CheckedContinuation<Bool, Never>, isLast: Bool)] {
            if waiting.isEmpty { return [] }
            let next = waiting.filter { isNext($0.key, $0.value.position) }
            for slot in next.keys { waiting[slot] = nil }
            return next.map { ($1.continuation, isLast($0, $1.position)) }
        }
    }

    private let patience: Duration
    private let state = Mutex(State())

    init(patience: Duration) { self.patience = patience }

    var isEmpty: Bool { state.withLock { $0.stages.isEmpty } }

    func enter(isResumed: Bool) -> Int {
        state.withLock { state in
            if isResumed, state.slots == 0 || state.completeAt != nil { state.completeAt = .now + patience }
            state.slots += 1
            state.stages[state.slots] = .behind
            return state.slots
        }
    }

    func leave(_ slot: Int) {
        let (own, next) = state.withLock { state in
            state.stages[slot] = nil
            return (state.waiting.removeValue(forKey: slot)?.continuation, state.takeNext())
        }
        own?.resume(returning: false)
        for (continuation, isLast) in next { continuation.resume(returning: isLast) }
    }

    func ask(_ slot: Int, _ queue: ChangeQueue) {
        let next = state.withLock { state in
            state.move(slot, to: .asking(queue))
            return state.takeNext()
        }
        for (continuation, isLast) in next { continuation.resume(returning: isLast) }
    }

    /// Whether all others have sent what they were given, and nobody is yet to come.
    func isNext(_ slot: Int) -> Bool {
        state.withLock { state in
            if let due = state.completeAt {
                if due > .now { return false }
                state.completeAt = nil
            }
            return state.stages.allSatisfy { other, stage in
                if other == slot { return true }
                if case .asking(let queue) = stage { return queue.isIdle }
                return false
            }
        }
    }

    private func untilComplete() async {
        while let due = state.withLock({ $0.completeAt }), !Task.isCancelled {
            if due <= .now { return state.withLock { $0.completeAt = nil } }
            try? await Task.sleep(until: due)
        }
    }

    /// Until its turn has come, or the task is cancelled.
    /// - Returns: whether it is the last with this change.
    func wait(_ slot: Int, at position: ChangePosition, _ hasPublished: () -> Void) async -> Bool {
        await untilComplete()
        if state.withLock({ $0.stages.count }) == 1 { return true }
        hasPublished()
        let (isNext, isLast, next) = state.withLock { state in
            state.move(slot, to: .sending(position))
            return (state.isNext(slot, position), state.isLast(slot, position), state.takeNext())
        }
        for (continuation, isLast) in next { continuation.resume(returning: isLast) }
        if isNext { return isLast }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLast = state.withLock { state -> Bool? in
                    if Task.isCancelled || state.stages[slot] == nil { return false }
                    if state.isNext(slot, position) { return state.isLast(slot, position) }
                    state.waiting[slot] = Waiting(position: position, continuation: continuation)
                    return nil
                }
                if let isLast { continuation.resume(returning: isLast) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: slot)?.continuation }?.resume(returning: false)
        }
    }
}
