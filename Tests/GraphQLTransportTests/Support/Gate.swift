import Synchronization

/// Where operations wait until a test lets them go on, so that no test depends on how fast the machine is.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    private static let gates = Mutex<[String: Gate]>([:])

    static func named(_ name: String) -> Gate {
        gates.withLock { gates in
            if let gate = gates[name] { return gate }
            let gate = Gate()
            gates[name] = gate
            return gate
        }
    }

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Until so many wait.
    func fill(_ count: Int) async throws {
        while state.withLock({ $0.waiting.count }) < count { try await Task.sleep(for: .milliseconds(10)) }
    }
}
