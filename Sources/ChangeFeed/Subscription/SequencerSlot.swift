/// A place in a connection's order: a subscription's while it is read, or an operation's until it is known whether it
/// is a subscription. The connection's other subscriptions wait for it until it is left.
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

    /// Whether a change can be sent at once: no other subscription of the connection has one to send.
    var isNext: Bool { sequencer.isNext(number) }

    /// Waits until every older change of the connection was sent.
    /// - Parameter hasPublished: returns once the change was offered to all subscribers that it concerns.
    /// - Returns: whether no other subscription of the connection is still to send the same change.
    func wait(at position: ChangePosition, _ hasPublished: () -> Void) async -> Bool {
        await sequencer.wait(number, at: position, hasPublished)
    }
}
