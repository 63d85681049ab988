import NIOCore
import NIOHTTP1

/// The state machine of an HTTP/1.1 client connection: events go in, actions come out. Requests are served one after
/// another; the parts of pipelined requests wait here. Deadlines are checked once a second, so that a request needs no
/// timer; a deadline may be up to a second late.
/// RFC 9112, 9 Connection Management
struct HTTPConnectionState {
    enum Action: Equatable {
        case none
        /// A request begins. The caller chooses a destination by the head, and calls `awaitsBody`, `routes` or
        /// `answers`.
        case begin(HTTPRequestHead)
        /// A part of the body of a request to the endpoint.
        case receive(ByteBuffer)
        /// A request to the endpoint is complete.
        case execute
        case routeBody(ByteBuffer)
        case routeEnd
        /// A request for another protocol is complete.
        case upgrade(HTTPRequestHead)
        /// The client gets this refusal at once, as the last answer of the connection.
        case refuse(Refusal)
        /// The answer took too long.
        case timeOut
        /// A stream has been silent for `streamKeepAlive`.
        case keepStreamAlive
        /// The server stops: the stream is to end.
        case drainStream
        /// The client has closed its side; the router is to be told.
        case closeRouterInput
        case close
    }

    enum Refusal: Equatable {
        case headTimeout, bodyTimeout, routeTimeout
        case malformed, headTooLarge, chunkExtensionsTooLong
    }

    /// The receiver of a request's body.
    enum BodyReader: Equatable {
        case endpoint
        /// The body of a request for another protocol is thrown away.
        case upgrade(HTTPRequestHead)
    }

    /// The connection's next step after an answer.
    enum NextStep: Equatable {
        case nextRequest
        /// The server writes no more, and discards all input until the client closes the connection. A close with
        /// unread input would reset the connection, and the client could lose the answer.
        /// RFC 9112, 9.6 Tear-down
        case linger
    }

    private enum Phase {
        /// Between two requests.
        case idle
        case receiving(BodyReader)
        case executing
        /// A streamed answer has begun.
        case streaming
        case routing(isReceived: Bool, RoutedAnswer)
        /// The connection speaks another protocol.
        case upgraded
        case lingering
    }

    private enum RoutedAnswer {
        case awaited, begun, written
    }

    private static let lingering = TimeAmount.seconds(2)
    /// The time for the only request of an overflow connection (`OpenConnections`) to begin.
    private static let overflowIdleTimeout = TimeAmount.seconds(2)
    /// The longest time for which a connection without any request is kept. Behind a proxy a longer idle timeout is for
    /// connections that it uses again.
    private static let firstRequestTimeout = TimeAmount.seconds(75)
    /// The time for a request that was on its way when the server was told to stop.
    private static let idleWhileDraining = TimeAmount.milliseconds(500)
    /// Reading stops beyond this number of waiting parts.
    private static let waitingParts = 16

    private let limits: HTTPLimits
    private let streamKeepAlive: TimeAmount
    private let isOverflow: Bool
    private var phase = Phase.idle
    /// The number of the current request. A late answer to an earlier request has a smaller number, and is dropped.
    private var request = 0
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    private var isReadHeld = false
    private(set) var isDraining = false
    private(set) var isWritable = true
    /// Whether the answer under way, or the next, is the last.
    private(set) var closesAfterAnswer = false
    /// When `tick` acts on the current phase.
    private var deadline: NIODeadline
    /// When the head must be whole whose first byte has arrived; `distantFuture` before that byte.
    private var headDeadline = NIODeadline.distantFuture
    /// When the channel must be writable again; `distantFuture` while it is writable.
    private var writeDeadline = NIODeadline.distantFuture
    private var drainDeadline = NIODeadline.distantFuture

    /// - Parameter isOverflow: whether this is an overflow connection, which may send a single request.
    init(limits: HTTPLimits, streamKeepAlive: TimeAmount, isOverflow: Bool = false, at now: NIODeadline) {
        self.limits = limits
        self.streamKeepAlive = streamKeepAlive
        self.isOverflow = isOverflow
        deadline = now + (isOverflow ? Self.overflowIdleTimeout : min(limits.idleTimeout, Self.firstRequestTimeout))
    }

    // MARK: - From the decoder

    /// Parts of the current request are taken at once; those of pipelined requests wait.
    mutating func received(_ part: HTTPServerRequestPart) -> Action {
        if waiting.isEmpty && takesParts { return take(part) }
        waiting.append(part)
        return .none
    }

    /// Queues a part that arrives while an earlier one is being handled.
    mutating func queue(_ part: HTTPServerRequestPart) { waiting.append(part) }

    /// The action for the next waiting part; `none` where no part may be taken now.
    mutating func next() -> Action {
        while takesParts, let part = waiting.popFirst() {
            let action = take(part)
            if case .none = action { continue }
            return action
        }
        return .none
    }

    var hasWaitingParts: Bool { !waiting.isEmpty }

    /// No request begins while the client leaves earlier answers unread.
    private var takesParts: Bool {
        switch phase {
        case .idle: isWritable
        case .receiving, .routing(isReceived: false, _), .lingering: true
        case .executing, .streaming, .routing(isReceived: true, _), .upgraded: false
        }
    }

    private mutating func take(_ part: HTTPServerRequestPart) -> Action {
        switch (phase, part) {
        case (.idle, .head(let head)): return .begin(head)
        case (.receiving(.endpoint), .body(let bytes)): return .receive(bytes)
        case (.receiving(.endpoint), .end): return .execute
        case (.receiving(.upgrade(let head)), .end): return .upgrade(head)
        case (.routing, .body(let bytes)): return .routeBody(bytes)
        case (.routing(_, let answer), .end):
            phase = .routing(isReceived: true, answer)
            return .routeEnd
        default: return .none
        }
    }

    /// Starts the deadline of a head with its first byte, since the decoder reports a head only when it is whole.
    mutating func bytesArrived(at now: @autoclosure () -> NIODeadline) {
        guard case .idle = phase, headDeadline == .distantFuture else { return }
        headDeadline = now() + limits.headerTimeout
    }

    /// The bounds of later requests are unknown, so the current answer is the connection's last.
    mutating func violated(_ refusal: Refusal) -> Action {
        switch phase {
        case .idle, .receiving: return .refuse(refusal)
        case .executing, .streaming, .routing:
            closesAfterAnswer = true
            return .none
        case .upgraded, .lingering: return .none
        }
    }

    // MARK: - From the request under way

    /// - Parameter keepsAlive: whether another request may follow on the connection.
    mutating func requestBegins(keepsAlive: Bool) {
        headDeadline = .distantFuture
        closesAfterAnswer = isDraining || isOverflow || !keepsAlive
        request &+= 1
    }

    mutating func awaitsBody(for reader: BodyReader, at now: NIODeadline) {
        phase = .receiving(reader)
        deadline = now + limits.bodyTimeout
    }

    /// The request is executed; its answer comes later.
    /// - Parameter deadline: `distantFuture` where the operation has a deadline of its own.
    /// - Returns: the number of the request, for `isAwaited`.
    mutating func executes(until deadline: NIODeadline) -> Int {
        phase = .executing
        self.deadline = deadline
        return request
    }

    /// Whether the answer to the request of this number is still awaited.
    func isAwaited(_ request: Int) -> Bool {
        guard case .executing = phase else { return false }
        return request == self.request
    }

    /// - Parameter isLast: whether the end of the connection marks the end of the answer.
    mutating func streams(isLast: Bool, at now: NIODeadline) {
        phase = .streaming
        deadline = now + streamKeepAlive
        if isLast { closesAfterAnswer = true }
    }

    /// The answer, or its last part, is about to be written.
    /// - Parameter isLast: whether the connection takes no further request.
    mutating func answers(isLast: Bool = false, at now: NIODeadline) -> NextStep {
        if isLast { closesAfterAnswer = true }
        headDeadline = .distantFuture
        if closesAfterAnswer {
            phase = .lingering
            deadline = now + Self.lingering
            return .linger
        }
        phase = .idle
        deadline = now + limits.idleTimeout
        return .nextRequest
    }

    mutating func upgraded() {
        phase = .upgraded
        deadline = .distantFuture
    }

    // MARK: - From the router

    mutating func routes(at now: NIODeadline) {
        phase = .routing(isReceived: false, .awaited)
        deadline = now + limits.bodyTimeout
    }

    var isRouting: Bool { if case .routing = phase { true } else { false } }

    /// - Parameter isLast: whether the end of the connection marks the end of the answer.
    mutating func routedAnswerBegan(isLast: Bool) {
        guard case .routing(let isReceived, _) = phase else { return }
        phase = .routing(isReceived: isReceived, .begun)
        if isLast { closesAfterAnswer = true }
    }

    mutating func routedAnswerEnded() {
        guard case .routing(let isReceived, _) = phase else { return }
        phase = .routing(isReceived: isReceived, .written)
    }

    /// Whether the request to the router was answered and read to its end. The rest of the connection's last request
    /// need not be read.
    var isRoutedRequestFinished: Bool {
        guard case .routing(let isReceived, .written) = phase else { return false }
        return isReceived || closesAfterAnswer
    }

    // MARK: - From the channel

    /// The connection reads on while a request is executed, so that a client's close is noticed. It pauses when too
    /// many parts wait.
    /// - Returns: whether to read now.
    mutating func readRequested() -> Bool {
        isReadHeld = waiting.count > Self.waitingParts
        return !isReadHeld
    }

    /// Whether to begin a read that `readRequested` held back.
    mutating func resumesReading() -> Bool {
        guard isReadHeld, waiting.count <= Self.waitingParts else { return false }
        isReadHeld = false
        return true
    }

    mutating func writabilityChanged(_ isWritable: Bool, at now: NIODeadline) {
        self.isWritable = isWritable
        wrote(at: now)
    }

    /// Sets the deadline for the client to read when the channel stops being writable, and clears it when the channel
    /// is writable again.
    mutating func wrote(at now: @autoclosure () -> NIODeadline) {
        if isWritable {
            writeDeadline = .distantFuture
        } else if writeDeadline == .distantFuture {
            writeDeadline = now() + limits.writeTimeout
        }
    }

    /// The client has closed its side. A client that listens to a stream keeps its side open, so a closed side ends the
    /// stream.
    mutating func inputClosed() -> Action {
        switch phase {
        case .idle, .receiving, .streaming, .upgraded, .lingering: return .close
        case .executing:
            closesAfterAnswer = true
            return .none
        case .routing:
            closesAfterAnswer = true
            return .closeRouterInput
        }
    }

    mutating func closed() {
        waiting.removeAll()
        phase = .lingering
    }

    // MARK: - From the clock and the server

    mutating func tick(at now: NIODeadline) -> Action {
        if writeDeadline <= now || drainDeadline <= now { return .close }
        if min(deadline, headDeadline) > now { return .none }
        switch phase {
        case .idle: return headDeadline <= now ? .refuse(.headTimeout) : .close
        case .receiving: return .refuse(.bodyTimeout)
        case .executing: return .timeOut
        case .streaming:
            deadline = now + streamKeepAlive
            return .keepStreamAlive
        // An error can take the response's place only before its head was written. A response that has begun has no
        // deadline.
        case .routing(_, .awaited): return .refuse(.routeTimeout)
        case .routing(_, .begun): return .none
        // The request was answered, and the client still sends its body.
        case .routing(_, .written): return .close
        case .upgraded, .lingering: return .close
        }
    }

    /// The server stops: requests under way are finished.
    mutating func drain(at now: NIODeadline) -> Action {
        isDraining = true
        closesAfterAnswer = true
        drainDeadline = now + limits.drainTimeout
        switch phase {
        case .idle:
            deadline = min(deadline, now + Self.idleWhileDraining)
            return .none
        case .streaming: return .drainStream
        case .receiving, .executing, .routing, .upgraded, .lingering: return .none
        }
    }
}
