import Synchronization
import TestSupport
import Testing

@testable import Auth

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

@Suite(.timeLimit(.minutes(10))) struct HashingPoolTests {
    @Test func twoHundredAtOnceAreBoundedAndNoneIsLost() async throws {
        let hasher = PasswordHasher(parameters: try .quick(), threads: 2, queueLimit: 16)
        let outcomes = await withTaskGroup(of: Result<String, HasherError>.self) { group in
            for index in 0..<200 {
                group.addTask {
                    do throws(HasherError) {
                        return .success(try await hasher.hash("password of \(index)"))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let hashes = outcomes.compactMap { try? $0.get() }
        #expect(outcomes.count == 200)
        #expect(hashes.count >= 18)
        #expect(Set(hashes).count == hashes.count)
        for case .failure(let error) in outcomes {
            guard case .busy(let retryAfter) = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(retryAfter >= 1)
        }
        #expect(try await hasher.hash("afterwards").isEmpty == false)
    }

    /// Two run, three wait, and the rest is refused at once.
    @Test func exactlyTheThreadsAndTheQueueAreTaken() async {
        let pool = HashingPool(threads: 2, queueLimit: 3, maximumWait: .seconds(60))
        let gate = Gate()
        let running = Running()
        let taken = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    do throws(HasherError) {
                        try await pool.run {
                            running.enter()
                            gate.wait()
                            running.leave()
                        }
                        return true
                    } catch {
                        return false
                    }
                }
            }
            var taken = 0
            for refusal in 1...50 {
                guard let wasTaken = await group.next() else { break }
                if wasTaken { taken += 1 }
                guard refusal == 45 else { continue }
                // All refusals may come before the second thread has begun. The gate opens even if it never begins: the
                // last expectation then fails.
                try? await eventually("two threads") { running.most == 2 }
                gate.open()
            }
            return taken
        }
        #expect(taken == 5)
        #expect(running.most == 2)
    }

    @Test func whatWaitedTooLongIsRefused() async throws {
        let time = Mutex(ContinuousClock.now)
        let pool = HashingPool(
            threads: 1, queueLimit: 4, maximumWait: .seconds(1), clock: { time.withLock { $0 } })
        let gate = Gate()
        defer { gate.open() }
        let first = Task { try await pool.run { gate.wait() } }
        try await eventually("the first at the gate") { gate.isReached }
        let second = Task { try await pool.run {} }
        try await eventually("the second in the queue") { pool.waitingCount == 1 }
        time.withLock { $0 += .milliseconds(1_001) }
        gate.open()
        try await first.value
        // The pool supposes 0.3 s a job, and by its clock the first took 1.001 s: (7 * 0.3 + 1.001) / 8 is below 1.
        await #expect(throws: HasherError.busy(retryAfter: 1)) { try await second.value }
    }

    @Test func theWorkOfACancelledTaskIsLeftOut() async throws {
        let pool = HashingPool(threads: 1, queueLimit: 4, maximumWait: .seconds(60))
        let gate = Gate()
        defer { gate.open() }
        let ran = Running()
        let first = Task { try await pool.run { gate.wait() } }
        try await eventually("the first at the gate") { gate.isReached }
        let second = Task { try await pool.run { ran.enter() } }
        try await eventually("the second in the queue") { pool.waitingCount == 1 }
        second.cancel()
        gate.open()
        try await first.value
        await #expect(throws: HasherError.cancelled) { try await second.value }
        #expect(ran.most == 0)
    }

    /// More hashes wait than there are cooperative threads, and a task still gets its turn.
    @Test func theCooperativePoolStaysFree() async throws {
        let pool = HashingPool(threads: 2, queueLimit: 64, maximumWait: .seconds(60))
        let gate = Gate()
        defer { gate.open() }
        let waiting = (0..<32).map { _ in Task { try await pool.run { gate.wait() } } }
        try await eventually("30 in the queue") { pool.waitingCount == 30 }
        #expect(await Task.detached { 42 }.value == 42)
        gate.open()
        for task in waiting { try await task.value }
    }
}

/// Holds threads until it is opened.
private final class Gate: Sendable {
    private let isOpen = Atomic(false)
    private let reached = Atomic(false)

    var isReached: Bool { reached.load(ordering: .acquiring) }

    func open() { isOpen.store(true, ordering: .releasing) }

    func wait() {
        reached.store(true, ordering: .releasing)
        while !isOpen.load(ordering: .acquiring) { usleep(500) }
    }
}

/// How many are inside at once, and how many were at most.
private final class Running: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func enter() {
        counts.withLock {
            $0.now += 1
            $0.most = max($0.most, $0.now)
        }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
}
