import Synchronization
import TestSupport

/// Where operations wait until a test lets them go on, so that no test depends on how fast the machine is.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [AsyncStream<Never>.Continuation] = []
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

    /// Returns once the gate is open.
    /// - Throws: `CancellationError`.
    func pass() async throws {
        let (opening, continuation) = AsyncStream.makeStream(of: Never.self)
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(continuation) }
            return state.isOpen
        }
        if isOpen { return }
        for await _ in opening {}
        try Task.checkCancellation()
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.finish() }
    }

    /// Waits until so many operations have come to the gate.
    func fill(_ count: Int, fileID: StaticString = #fileID, line: UInt = #line) async throws {
        func come() -> Int { state.withLock { $0.waiting.count } }
        try await eventually("\(count) at the gate, not \(come())", fileID: fileID, line: line) { come() >= count }
    }
}
