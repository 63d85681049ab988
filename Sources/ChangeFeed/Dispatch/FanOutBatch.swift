import GraphQL

/// A change for the parked subscribers on one event loop that have the same selection and get the same kind of event:
/// one execution and one encoding for all of them.
protocol FanOutBatch: Sendable {
    var change: MatchedChange { get }
    /// The reader of one of the subscribers, whose response serves all.
    var reader: ChangeReader { get }
    var count: Int { get }

    /// Hands the response to some of the subscribers. Called on the reader's executor.
    func receive(_ range: Range<Int>, _ response: SharedResponse)
    /// Makes each subscriber read the change itself, because no response can be shared.
    func fail()
}

@usableFromInline
struct ScopeBatch<Scope: ChangeScope>: FanOutBatch {
    @usableFromInline let change: MatchedChange
    @usableFromInline let reader: ChangeReader
    @usableFromInline var subscribers: [ChangeSubscriber<Scope>]

    @inlinable
    init(_ change: MatchedChange, _ reader: ChangeReader, _ subscriber: ChangeSubscriber<Scope>) {
        self.change = change
        self.reader = reader
        subscribers = [subscriber]
    }

    var count: Int { subscribers.count }

    func receive(_ range: Range<Int>, _ response: SharedResponse) {
        Scope.receive(change, response, subscribers[range])
    }

    func fail() {
        for subscriber in subscribers { subscriber.queue.fail(change) }
    }
}

@usableFromInline
struct FanOutKey: Hashable {
    @usableFromInline let kind: ChangeKind
    @usableFromInline let group: ParkedGroup

    @inlinable
    init(_ kind: ChangeKind, _ group: ParkedGroup) {
        self.kind = kind
        self.group = group
    }
}

/// The batches of one change and one type of scope.
@usableFromInline
struct ScopeBatches<Scope: ChangeScope> {
    @usableFromInline var batches: [ScopeBatch<Scope>] = []
    @usableFromInline var numbers: [FanOutKey: Int] = [:]

    @inlinable
    init() {}

    @inlinable
    mutating func add(_ change: MatchedChange, _ subscriber: ChangeSubscriber<Scope>, _ reader: ChangeReader) {
        let key = FanOutKey(change.kind, reader.group)
        if let number = numbers[key] {
            batches[number].subscribers.append(subscriber)
        } else {
            numbers[key] = batches.count
            batches.append(ScopeBatch(change, reader, subscriber))
        }
    }
}
