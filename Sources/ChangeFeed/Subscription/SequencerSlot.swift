/// A slot in the order of a connection: of one of its subscriptions while that is read, or of an operation while it is
/// not known yet what it asks for. The connection's other subscriptions wait for it until it is left.
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

    /// Nothing is owed here any more. Leaving it again changes nothing.
    public func leave() {
        sequencer.leave(number)
        sequencers.forget(connection, sequencer)
    }

    /// It has sent what it was given.
    func ask(_ queue: ChangeQueue) { sequencer.ask(number, queue) }

    /// Whether a change can be sent at once, as the only one that the connection's subscriptions are given.
    var isNext: Bool { sequencer.isNext(number) }

    /// Until every older change of the connection was sent.
    /// - Parameter hasPublished: returns once everybody has the change who is to have it.
    /// - Returns: whether no other of the connection's subscriptions is yet to send the same change.
    func wait(at position: ChangePosition, _ hasPublished: () -> Void) async -> Bool {
        await sequencer.wait(number, at: position, hasPublished)
    }
}
