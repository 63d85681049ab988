/// A place in the order of a client connection. A subscription has a slot while it is read. An operation that waits for
/// its authentication has one until it proves to be no subscription, or until its subscription has a slot of its own.
/// No other subscription of the connection sends a newer change while the slot may still send an older one.
public final class SequencerSlot: Sendable {
    private let sequencers: ChangeSequencers
    private let connection: UInt64
    private let sequencer: ChangeSequencer
    private let number: Int

    init(_ sequencers: ChangeSequencers, _ connection: UInt64, _ sequencer: ChangeSequencer, isResumed: Bool) {
        self.sequencers = sequencers
        self.connection = connection
        self.sequencer = sequencer
        number = sequencer.enter(isResumed: isResumed)
    }

    deinit { leave() }

    /// Leaves the slot, which then sends nothing any more. A second call has no effect.
    public func leave() {
        sequencer.leave(number)
        sequencers.forget(connection, sequencer)
    }

    /// The slot's subscription has sent all changes that it was given.
    func ask(_ queue: ChangeQueue) { sequencer.ask(number, queue) }

    /// True where a change can be sent at once, because no other subscription of the connection has one to send.
    var isNext: Bool { sequencer.isNext(number) }

    /// Waits until every older change of the connection was sent, the slot was left, or the task is cancelled.
    /// - Parameter hasPublished: returns once the change was offered to all subscribers that it concerns.
    /// - Returns: true where the slot's turn has come and no other subscription of the connection is still to send the
    ///   same change.
    func wait(at position: ChangePosition, _ hasPublished: () -> Void) async -> Bool {
        await sequencer.wait(number, at: position, hasPublished)
    }
}
