import Synchronization

@testable import App

/// Tests run at once, and each world has some fifteen connections: a few worlds at a time, and no more connections than
/// a PostgreSQL allows.
actor WorldGate {
    static let shared = WorldGate()

    private var places = 8
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty { places += 1 } else { waiting.removeFirst().resume() }
    }
}

/// A world's place, given back when it shuts down, and at the latest when nobody holds it any more: a test may throw.
final class WorldPlace: Sendable {
    private let pools: Pools
    private let database: WorldDatabase
    private let isTaken = Mutex(true)

    init(_ pools: Pools, _ database: WorldDatabase) {
        self.pools = pools
        self.database = database
    }

    func leave() async {
        await pools.shutdown()
        await database.close()
        if isTaken.withLock({ isTaken in
            defer { isTaken = false }
            return isTaken
        }) {
            await WorldGate.shared.leave()
        }
    }

    deinit {
        guard isTaken.withLock({ $0 }) else { return }
        let pools = pools
        let database = database
        Task {
            await pools.shutdown()
            await database.close()
            await WorldGate.shared.leave()
        }
    }
}
