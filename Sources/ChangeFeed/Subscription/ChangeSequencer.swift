import Synchronization

/// Puts the changes of one client connection's subscriptions in the order of the log. While one subscription catches
/// up, the others wait: so the last cursor that a client received on the connection resumes all of them. If several
/// subscriptions send the same change, only the last of them gives its cursor. The others give a cursor before the
/// change: if the connection breaks between them, the change is sent again, and none is lost.
final class ChangeSequencer: Sendable {
    private enum Stage {
        /// The subscription's next change is not known yet.
        case behind
        case sending(ChangePosition)
        /// The subscription has sent all changes that it was given.
        case asking(ChangeQueue)
    }

    private struct Waiting {
        let position: ChangePosition
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var stages: [Int: Stage] = [:]
        var waiting: [Int: Waiting] = [:]
        /// The number of slots so far. Each subscription has one, numbered from 1 in the order in which they entered.
        var slots = 0
        /// The time until which a resumed connection waits for further subscriptions; nil after it, and on a new
        /// connection.
        var completeAt: ContinuousClock.Instant?

        /// The time until which the connection waits for further subscriptions; nil if it does not wait.
        var due: ContinuousClock.Instant? {
            mutating get {
                if let completeAt, completeAt <= .now { self.completeAt = nil }
                return completeAt
            }
        }

        /// Moves a slot to a stage, unless the slot was left.
        mutating func move(_ slot: Int, to stage: Stage) {
            if stages[slot] != nil { stages[slot] = stage }
        }

        /// True where no other slot may still send an older change, and no slot with a lower number may still send the
        /// same change.
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

        /// True where no other slot is still to send the same change.
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

    /// True where all other slots have sent all that they were given, and no further subscription is expected.
    func isNext(_ slot: Int) -> Bool {
        state.withLock { state in
            if state.due != nil { return false }
            return state.stages.allSatisfy { other, stage in
                if other == slot { return true }
                if case .asking(let queue) = stage { return queue.isIdle }
                return false
            }
        }
    }

    private func untilComplete() async {
        while let due = state.withLock({ $0.due }), !Task.isCancelled { try? await Task.sleep(until: due) }
    }

    /// Waits until the slot's turn has come, the slot was left, or the task is cancelled.
    /// - Returns: true where the slot's turn has come and it is the last one to send this change.
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
