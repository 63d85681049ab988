import Synchronization

/// The connections that have subscriptions.
public final class ChangeSequencers: Sendable {
    private let patience: Duration
    private let sequencers = Mutex<[UInt64: ChangeSequencer]>([:])

    /// - Parameter patience: a client that resumes a connection subscribes to several things one after another: what
    ///   comes first waits that long for the last of them, or its cursor would say more than the client has got.
    public init(patience: Duration = .milliseconds(200)) { self.patience = patience }

    /// - Parameter isResumed: whether the client goes on with all that it had on another connection.
    public func slot(on connection: UInt64, isResumed: Bool = false) -> SequencerSlot {
        sequencers.withLock { sequencers in
            let sequencer = sequencers[connection] ?? ChangeSequencer(patience: patience)
            sequencers[connection] = sequencer
            return SequencerSlot(self, connection, sequencer, isResumed: isResumed)
        }
    }

    func forget(_ connection: UInt64, _ sequencer: ChangeSequencer) {
        sequencers.withLock { sequencers in
            if sequencer.isEmpty, sequencers[connection] === sequencer { sequencers[connection] = nil }
        }
    }

    public var count: Int { sequencers.withLock { $0.count } }
}
