import NIOCore
import Synchronization

/// The open connections that were upgraded to another protocol. The server's task for a connection ends with the
/// upgrade, since a waiting task holds kilobytes of memory. A server that stops waits here for these connections to
/// end.
final class UpgradedConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func add(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { $0.channels[id] = channel }
        channel.closeFuture.whenComplete { _ in self.remove(id) }
    }

    private func remove(_ id: ObjectIdentifier) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.channels[id] = nil
            guard state.channels.isEmpty else { return nil }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Waits until no upgraded connection is open. Cancelling the task closes them all.
    func ended() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let areNone = state.withLock { state in
                    if !state.channels.isEmpty { state.waiting = continuation }
                    return state.channels.isEmpty
                }
                if areNone { continuation.resume() }
            }
        } onCancel: {
            for channel in state.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
        }
    }
}
