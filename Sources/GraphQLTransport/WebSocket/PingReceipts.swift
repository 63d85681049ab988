import GraphQL

/// Proves that a client has what was sent to it: by its pong to a ping that was sent after that.
///
/// A pong that repeats the ping's number answers that ping and all before it. One without a number answers the oldest ping
/// that is not answered, since pings are answered in their order; unless the client is known to repeat numbers, for then
/// it is a sign of life that answers nothing.
/// graphql-transport-ws, Ping and Pong
struct PingReceipts {
    /// A client that leaves so many pings unanswered answers none, and proves nothing any more.
    private static let patience = 64
    /// The key of the number in the payload of pings and pongs.
    private static let number = "number"

    private struct Ping {
        let number: Int
        let isNumbered: Bool
    }

    private var sent = 0
    private var unanswered: [Ping] = []
    /// Each with the first ping that was, or will be, sent after it.
    private var waiting: [(ping: Int, onReceipt: @Sendable () -> Void)] = []
    private var repeatsNumbers = false
    private var isDeaf = false

    /// Whether something was sent since the last ping.
    var isPingDue: Bool { waiting.last.map { $0.ping > sent } ?? false }

    /// Something was sent, and somebody waits for the proof.
    mutating func add(_ onReceipt: @escaping @Sendable () -> Void) {
        if !isDeaf { waiting.append((sent + 1, onReceipt)) }
    }

    /// - Returns: the payload of the ping that is sent now.
    mutating func ping(_ payload: InputObject?) -> InputObject? {
        if isDeaf { return payload }
        let isNumbered = isPingDue
        sent += 1
        unanswered.append(Ping(number: sent, isNumbered: isNumbered))
        if unanswered.count > Self.patience {
            isDeaf = true
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
