import NIOCore

/// A response that goes on, of one connection.
final class HTTPStream {
    let format: StreamFormat
    let queue: EventQueue
    /// What it carries in single connection mode, where operations have other requests.
    let reserved: EventStream?
    var session: (any SessionContext)?
    /// Of the response, once the operation has begun to answer.
    var headers: @Sendable () -> [(name: String, value: String)] = { [] }
    /// Until when a response in several parts must be whole.
    let deadline: NIODeadline
    /// Whether the operation was found fit to run.
    var isAccepted = false
    /// Whether the response's head is written.
    var isOpen = false
    /// Whether all is in the queue that will ever be.
    var isFinished = false
    var isWriting = false
    /// Whether a part was sent that has a next.
    var isInParts = false
    var progress = StreamProgress()
    /// Has the source give what it owes, and end; nil where it owes nothing.
    var conclude: (@Sendable () -> Void)?
    /// Until when it must have ended, once its session has.
    var concludeBy: NIODeadline?
    /// Ends the watch over its session.
    var stopWatching: (@Sendable () -> Void)?
    /// Whether it is looked for the acknowledgement of what was written.
    var isAwaitingReceipts = false
    /// Of the events, once they stream.
    var reader: EventReader?

    init(
        _ format: StreamFormat, queue: EventQueue, deadline: NIODeadline = .distantFuture,
        reserved: EventStream? = nil
    ) {
        self.deadline = deadline
        self.format = format
        self.queue = queue
        self.reserved = reserved
    }

    func stopReading() {
        reader?.stop()
        reader = nil
    }
}
