import Synchronization

/// How many bytes of memory a document holds with all that was made of it, which grows as its operations are planned.
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

    /// - Parameter onGrowth: hears of every byte that is not part of the result.
    /// - Returns: the bytes so far.
    func observe(_ onGrowth: @escaping @Sendable (Int) -> Void) -> Int {
        state.withLock { state in
            state.onGrowth = onGrowth
            return state.bytes
        }
    }
}
