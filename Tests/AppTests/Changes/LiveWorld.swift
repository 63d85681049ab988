import Dispatch
import GraphQL
import Postgres
import Synchronization
import TestSupport
import Testing

@testable import App
@testable import ChangeFeed

/// A world whose change log is tailed, as a running server does.
struct LiveWorld: Sendable {
    let world: World
    private let tail: Task<Void, Never>
    private let telling: Task<Void, Never>

    init(_ world: World) async throws {
        // A replica of its own: what it has in memory begins here.
        let replica = world.with { $0.changes = ChangeHub() }
        self.world = replica
        let environment = replica.environment
        tail = Task { await ChangeTail(environment.changeLog, logger: environment.logger).run() }
        telling = Task { await NotificationWorker(environment).run() }
        try await eventually("the tail has begun") { environment.changes.cursor != nil }
    }

    static func make(writers: Int = 4) async throws -> LiveWorld {
        try await LiveWorld(World.make(writers: writers))
    }

    /// What runs beside it, as when a server ends.
    func stop() async {
        tail.cancel()
        telling.cancel()
        await tail.value
        await telling.value
    }

    func shutdown() async {
        await stop()
        await world.shutdown()
    }

    /// Opens a subscription as a client would.
    func subscribe(_ text: String, as person: Person) async throws -> Subscriber {
        try await subscribe(text, world.context(as: person))
    }

    func subscribe(_ text: String, _ context: RequestContext) async throws -> Subscriber {
        switch try await start(text, context) {
        case .refused(let response):
            return Subscriber(refusal: try Answer(String(decoding: response.body, as: UTF8.self)))
        case .stream(let stream): return Subscriber(stream)
        }
    }

    /// Not read yet.
    func stream(_ text: String, _ context: RequestContext) async throws -> ResponseStream<RequestContext> {
        switch try await start(text, context) {
        case .refused(let response): throw RequestError(response.errors)
        case .stream(let stream): return stream
        }
    }

    private func start(_ text: String, _ context: RequestContext) async throws -> SubscriptionStart<RequestContext> {
        let schema = try OperationRunner.schema.get()
        let prepared = try PreparedOperation(
            parse(Source("subscription { \(text) }")), operationName: nil, schema: schema)
        let plan = try LiveWorld.plans.withLock { plans in
            if let plan = plans[text] { return plan }
            let plan = try prepared.plan(for: prepared.mask(for: [:]))
            plans[text] = plan
            return plan
        }
        return try await GraphQL.subscribe(plan, variables: [:], context: context)
    }

    /// As the server's cache: the same text has the same plan.
    private static let plans = Mutex<[String: Plan<RequestContext>]>([:])

    /// Until the tail has read all that is committed now.
    func settle() async throws {
        let last = try await world.number("select coalesce(max(xid)::text::bigint, 0) from change_log")
        try await eventually("the tail has read transaction \(last)") {
            world.environment.changes.signal.signal()
            return (world.environment.changes.cursor?.position.transaction ?? 0) >= Int64(last)
        }
    }
}

/// A client that reads its subscription all the time, as the server does: without a task while there is nothing.
final class Subscriber: Sendable {
    /// Why there is no stream.
    let refusal: Answer?
    private let received = Received()
    private let reader: ParkingClient?

    init(refusal: Answer) {
        self.refusal = refusal
        reader = nil
    }

    init(_ stream: ResponseStream<RequestContext>) {
        refusal = nil
        reader = ParkingClient(stream, received)
        reader?.wake()
    }

    var count: Int { received.count }
    var all: [Answer] { received.all }
    var hasEnded: Bool { received.hasEnded }
    /// Those of `all` that came while it was parked.
    var handed: Int { reader?.handed ?? 0 }

    /// How many of the responses that it was handed are still in memory.
    var held: Int { reader?.held ?? 0 }

    /// Whether it has dealt with all that came so far; of a stream without cursors, always.
    var isCaughtUp: Bool { reader?.isCaughtUp ?? true }

    func close() { reader?.close() }

    /// A client that does not read: what comes waits.
    func setFull(_ isFull: Bool) { reader?.setFull(isFull) }

    /// The first so many answers; waits for them.
    func take(_ count: Int) async throws -> [Answer] {
        try await eventually("\(count) answers, not \(all.map(\.text))") { received.count >= count || hasEnded }
        return Array(received.all.prefix(count))
    }

    /// Until an answer that says so has come.
    func until(_ isLast: (Answer) -> Bool) async throws -> [Answer] {
        try await eventually("the last answer, after \(all.map(\.text))") { all.contains(where: isLast) || hasEnded }
        return received.all
    }
}

private final class ParkingClient: ResponseSink {
    /// Stands for a transport's encoding. Only the response refers to it.
    private final class Encoding: Sendable {}

    private struct Handed { weak let encoding: Encoding? }

    private struct State {
        var task: Task<Void, Never>?
        var handed: [Handed] = []
        var isFull = false
        var isClosed = false
    }

    private static let thread = QueueExecutor()

    private let stream: ResponseStream<RequestContext>
    private let received: Received
    private let state = Mutex(State())

    init(_ stream: ResponseStream<RequestContext>, _ received: Received) {
        self.stream = stream
        self.received = received
    }

    var executor: any TaskExecutor { Self.thread }
    var handed: Int { state.withLock { $0.handed.count } }
    var held: Int { state.withLock { $0.handed.count { $0.encoding != nil } } }
    var isCaughtUp: Bool { stream.position?.isCaughtUp ?? true }

    func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    func write(_ response: SharedResponse) -> Bool {
        if state.withLock({ $0.isFull }) { return false }
        let encoding = response.encoded as? Encoding ?? Encoding()
        response.encoded = encoding
        let handed = Handed(encoding: encoding)
        state.withLock { $0.handed.append(handed) }
        received.append(response.response)
        return true
    }

    func wake() {
        state.withLock { state in
            if state.isClosed { return }
            state.task = Task(executorPreference: Self.thread) { await self.read() }
        }
    }

    private func read() async {
        var iterator = stream.makeAsyncIterator()
        while !iterator.park(self) {
            guard let response = try? await iterator.next() else { return received.end() }
            while !Task.isCancelled, state.withLock({ $0.isFull }) { try? await Task.sleep(for: .milliseconds(1)) }
            if Task.isCancelled { return received.end() }
            received.append(response)
        }
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            state.task?.cancel()
        }
        stream.stop()
    }
}

private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "parking clients")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

private final class Received: Sendable {
    private let state = Mutex<(answers: [Answer], hasEnded: Bool)>(([], false))

    func append(_ response: Response) {
        do {
            let answer = try Answer(String(decoding: response.body, as: UTF8.self))
            state.withLock { $0.answers.append(answer) }
        } catch {
            Issue.record(error)
        }
    }
    func end() { state.withLock { $0.hasEnded = true } }
    var count: Int { state.withLock { $0.answers.count } }
    var all: [Answer] { state.withLock { $0.answers } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
}
