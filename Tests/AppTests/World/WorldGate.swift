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
/// The world's database goes then.
final class WorldPlace: Sendable {
    private let pools: Pools
    private let database: WorldDatabase
    private let isTaken = Atomic(true)

    init(_ pools: Pools, _ database: WorldDatabase) {
        self.pools = pools
        self.database = database
    }

    func leave() async {
        guard isTaken.exchange(false, ordering: .relaxed) else { return }
        await Self.leave(pools, database)
    }

    deinit {
        guard isTaken.load(ordering: .relaxed) else { return }
        let pools = pools
        let database = database
        Task { await Self.leave(pools, database) }
    }

    private static func leave(_ pools: Pools, _ database: WorldDatabase) async {
        await pools.shutdown()
        await database.drop()
        await WorldGate.shared.leave()
    }
}
