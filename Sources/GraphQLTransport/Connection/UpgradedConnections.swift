import NIOCore
import Synchronization

/// Connections that are no longer HTTP's. The server's own task of a connection ends with its upgrade, as one that only
/// waits holds kilobytes; so the server asks here whether they have all ended.
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

    /// Until there are none. Once cancelled it closes them.
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
