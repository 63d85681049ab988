import Synchronization

/// The sequencers of the client connections that have subscriptions.
public final class ChangeSequencers: Sendable {
    private let patience: Duration
    private let sequencers = Mutex<[UInt64: ChangeSequencer]>([:])

    /// - Parameter patience: the time that the first changes of a resumed connection wait for its next subscription.
    ///   The client sends its subscriptions one after another: without the wait, a cursor could cover changes of a
    ///   subscription still to come.
    public init(patience: Duration = .milliseconds(200)) { self.patience = patience }

    /// - Parameter isResumed: whether the client resumes all subscriptions of an earlier connection.
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
