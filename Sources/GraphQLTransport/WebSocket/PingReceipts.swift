import GraphQL

/// Proves that a client has received an event: the client has answered a ping that was sent after the event.
///
/// A pong that repeats a ping's number answers that ping and all before it. A pong without a number answers the oldest
/// unanswered ping, since pings are answered in order. If the client is known to repeat numbers, a pong without one
/// answers no numbered ping.
/// graphql-transport-ws, Ping and Pong
struct PingReceipts {
    /// A client that leaves more pings than this unanswered is taken not to answer at all; its callbacks are dropped.
    private static let patience = 64
    /// The key of the number in the payload of pings and pongs.
    private static let number = "number"

    private struct Ping {
        let number: Int
        let isNumbered: Bool
    }

    private var sent = 0
    private var unanswered: [Ping] = []
    /// The callbacks that wait for a proof, each with the number of the first ping after its event.
    private var waiting: [(ping: Int, onReceipt: @Sendable () -> Void)] = []
    private var repeatsNumbers = false
    private var isUnresponsive = false

    /// True where an event with a callback was sent since the last ping.
    var isPingDue: Bool { waiting.last.map { $0.ping > sent } ?? false }

    /// Adds the callback of an event that was just sent.
    mutating func add(_ onReceipt: @escaping @Sendable () -> Void) {
        if !isUnresponsive { waiting.append((sent + 1, onReceipt)) }
    }

    /// - Returns: the payload of the ping that is to be sent now.
    mutating func ping(_ payload: InputObject?) -> InputObject? {
        if isUnresponsive { return payload }
        let isNumbered = isPingDue
        sent += 1
        unanswered.append(Ping(number: sent, isNumbered: isNumbered))
        if unanswered.count > Self.patience {
            isUnresponsive = true
            unanswered = []
            waiting = []
        }
        guard isNumbered else { return payload }
        return InputObject((payload?.fields ?? []) + [(name: Self.number, value: .int(sent))])
    }

    /// - Returns: the callbacks of the events that the client now has proven to have.
    mutating func pong(_ payload: InputObject?) -> [@Sendable () -> Void] {
        guard let answered = answered(by: payload) else { return [] }
        unanswered.removeAll { $0.number <= answered }
        let proven = waiting.prefix { $0.ping <= answered }
        waiting.removeFirst(proven.count)
        return proven.map(\.onReceipt)
    }

    private mutating func answered(by payload: InputObject?) -> Int? {
        if case .int(let number)? = payload?[Self.number] {
            guard unanswered.contains(where: { $0.number == number }) else { return nil }
            repeatsNumbers = true
            return number
        }
        guard let oldest = unanswered.first, !(oldest.isNumbered && repeatsNumbers) else { return nil }
        return oldest.number
    }
}
