import Synchronization

/// The bytes of memory that a document takes with its operations and plans. The number grows as operations are planned.
final class DocumentHeapSize: Sendable {
    private struct State {
        var bytes: Int
        var onGrowth: (@Sendable (Int) -> Void)?
    }

    private let state: Mutex<State>

    init(_ bytes: Int) { state = Mutex(State(bytes: bytes)) }

    var bytes: Int { state.withLock { $0.bytes } }

    func grow(by bytes: Int) {
        let onGrowth = state.withLock { state in
            state.bytes += bytes
            return state.onGrowth
        }
        onGrowth?(bytes)
    }

    /// - Parameter onGrowth: called with the number of bytes of each later growth.
    /// - Returns: the bytes so far.
    func observe(_ onGrowth: @escaping @Sendable (Int) -> Void) -> Int {
        state.withLock { state in
            state.onGrowth = onGrowth
            return state.bytes
        }
    }
}
