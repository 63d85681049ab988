import NIOCore

/// A response that goes on, of one connection.
final class HTTPStream {
    let format: StreamFormat
    let queue: EventQueue
    /// What it carries in single connection mode, where operations have other requests.
    let reserved: EventStream?
    var session: (any SessionContext)?
    /// Whether the operation was found fit to run.
    var isAccepted = false
    /// Whether the response's head is written.
    var isOpen = false
    /// Whether all is in the queue that will ever be.
    var isFinished = false
    var isWriting = false

    init(_ format: StreamFormat, queue: EventQueue, reserved: EventStream? = nil) {
        self.format = format
        self.queue = queue
        self.reserved = reserved
    }
}
