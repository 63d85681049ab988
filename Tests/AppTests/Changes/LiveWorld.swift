import GraphQL
import Postgres
import Synchronization

@testable import App

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
        tail = Task { await ChangeTail(environment).run() }
        telling = Task { await Telling(environment).run() }
        while environment.changes.cursor == nil { try await Task.sleep(for: .milliseconds(5)) }
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
        let schema = try World.schema.get()
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
        while (world.environment.changes.cursor?.position.transaction ?? 0) < Int64(last) {
            world.environment.changes.signal.signal()
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

/// A client that reads its subscription all the time.
final class Subscriber: Sendable {
    /// Why there is no stream.
    let refusal: Answer?
    private let received = Received()
    private let task: Task<Void, any Error>?

    init(refusal: Answer) {
        self.refusal = refusal
        task = nil
    }

    init(_ stream: ResponseStream<RequestContext>) {
        refusal = nil
        task = Task { [received] in
            defer { received.end() }
            for try await response in stream {
                received.append(try Answer(String(decoding: response.body, as: UTF8.self)))
            }
        }
    }

    var count: Int { received.count }
    var all: [Answer] { received.all }
    var hasEnded: Bool { received.hasEnded }

    func close() { task?.cancel() }

    /// The first so many answers; waits for them.
    func take(_ count: Int) async throws -> [Answer] {
        while received.count < count, !received.hasEnded { try await Task.sleep(for: .milliseconds(5)) }
        return Array(received.all.prefix(count))
    }

    /// Until an answer that says so has come.
    func until(_ isLast: (Answer) -> Bool) async throws -> [Answer] {
        while !received.all.contains(where: isLast), !received.hasEnded {
            try await Task.sleep(for: .milliseconds(5))
        }
        return received.all
    }
}

private final class Received: Sendable {
    private let state = Mutex<(answers: [Answer], hasEnded: Bool)>(([], false))

    func append(_ answer: Answer) { state.withLock { $0.answers.append(answer) } }
    func end() { state.withLock { $0.hasEnded = true } }
    var count: Int { state.withLock { $0.answers.count } }
    var all: [Answer] { state.withLock { $0.answers } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
}
