import ClientDocuments
import Foundation
import GRDB

/// The writes of one account that wait. Each is stored before it is sent, with what it makes of the shown rows, and is
/// done once, whatever dies in between: it is sent again under the same `clientMutationId`.
public actor Outbox {
    /// How long the server remembers a mutation that it did, in seconds.
    public static let claimLifetime: TimeInterval = 24 * 60 * 60
    /// A server's own fault is tried this often before the entry is left to the app.
    private static let maximumAttempts = 8

    private let store: Store
    private let send: @Sendable (OutboxRequest) async throws -> Response
    private let now: @Sendable () -> Date
    /// How the answers of mutations, and of queries that are read before them, are stored, by the operations' names.
    private var selections: [String: SelectionSet]
    private var sending: Task<Void, Never>?
    /// The entries that the app dropped in this run: otherwise an entry that is gone was done.
    private var discarded: Set<String> = []
    private var hasNews = false
    /// A wait between attempts, which ``wake()`` cuts short.
    private var pause: Task<Void, Never>?
    /// Until when an entry is not sent again, after a fault of the server's that may concern it alone.
    private var postponed: [String: ContinuousClock.Instant] = [:]

    init(
        store: Store, operations: [any GraphQLOperation.Type],
        now: @escaping @Sendable () -> Date = { Date.now },
        send: @escaping @Sendable (OutboxRequest) async throws -> Response
    ) {
        self.store = store
        self.send = send
        self.now = now
        selections = Dictionary(operations.map { ($0.name, $0.dataSelection) }, uniquingKeysWith: { first, _ in first })
    }

    // MARK: - For the app

    /// Queues a mutation, which is sent as soon as it can be.
    ///
    /// - Parameters:
    ///   - mutation: takes its input in the variable `input`, which has a `clientMutationId`.
    ///   - objects: the ids of the objects that it writes or names. Entries that share one are sent in their order.
    ///   - patches: what it makes of the stored objects until its answer is there.
    ///   - conflicts: what becomes of it where somebody else changes the same fields while it waits.
    ///   - reading: a query of those fields, which is read before the write is sent and stored; without one, conflicts
    ///     are those with what the store has.
    /// - Returns: the entry's id.
    /// - Throws: `NoMutationInput` where the mutation has no variable `input`.
    public func perform<Mutation: MutationOperation>(
        _ mutation: Mutation, objects: [String], patches: [RecordPatch] = [],
        conflicts: ConflictPolicy = .lastWriter, reading: (any QueryOperation)? = nil
    ) async throws -> String {
        let encoded = mutation.variables
        var variables = encoded.values
        guard var input = variables["input"]?.object else { throw NoMutationInput() }
        let id = input["clientMutationId"]?.text ?? UUID().uuidString.lowercased()
        input.set("clientMutationId", .string(id))
        variables.set("input", .object(input))
        var entry = OutboxEntry(
            id: id, operation: Mutation.name, documentID: Mutation.documentID, document: Mutation.document,
            variables: variables, objects: objects, state: .waiting, queuedAt: now(), sentAt: nil, attempts: 0,
            conflicts: conflicts)
        selections[Mutation.name] = Mutation.Data.selection
        if conflicts != .lastWriter, let reading {
            entry.reading = OutboxRequest(reading)
            selections[type(of: reading).name] = type(of: reading).dataSelection
        }
        try await store.write { [entry] transaction in
            var entry = entry
            if conflicts != .lastWriter {
                entry.base = try ConflictBase(of: patches) { try RecordTable.record($0, in: transaction.database) }
            }
            try OutboxTable.add(entry, uploads: encoded.uploads, in: transaction.database)
            for (number, patch) in patches.enumerated() {
                try RecordTable.add(patch, number: number, entry: id, in: transaction.database)
                transaction.changed.insert(patch.key)
            }
            transaction.changed.insert(Self.key)
        }
        wake()
        return id
    }

    /// All entries, the oldest first.
    public func entries() async throws -> [OutboxEntry] {
        try await store.database.read { try OutboxTable.entries(in: $0) }
    }

    /// Sends an entry again that was refused or overruled, is uncertain or in conflict; whatever it conflicts with.
    public func retry(_ id: String) async throws {
        postponed[id] = nil
        try await store.write { transaction in
            try OutboxTable.setState(.waiting, of: id, in: transaction.database)
            try OutboxTable.forgetSent(id, in: transaction.database)
            try OutboxTable.setBase(nil, of: id, in: transaction.database)
            transaction.changed.insert(Self.key)
        }
        wake()
    }

    /// Drops an entry, and what it made of the shown rows.
    public func discard(_ id: String) async throws {
        discarded.insert(id)
        try await store.write { transaction in
            transaction.changed.formUnion(try RecordTable.dropPatches(of: id, in: transaction.database))
            try OutboxTable.remove(id, in: transaction.database)
            transaction.changed.insert(Self.key)
        }
    }

    /// Waits until the entry is answered, refused or discarded.
    public func result(of id: String) async throws -> OutboxResult {
        let observer = await store.observers.add()
        do {
            for await _ in observer.wakeUps {
                await store.observers.beginRead(observer.id)
                let entry = try await store.database.read { try OutboxTable.entry(id, in: $0) }
                await store.observers.watch([Self.key], observer.id)
                guard let outcome = outcome(of: entry, id) else { continue }
                await store.observers.remove(observer.id)
                return outcome
            }
        } catch {
            await store.observers.remove(observer.id)
            throw error
        }
        await store.observers.remove(observer.id)
        throw CancellationError()
    }

    /// Waits until every entry is answered, refused or discarded, or a question for the app.
    /// - Throws: `CancellationError`, or what keeps the store from being read.
    public func settled() async throws {
        for entry in try await entries() where entry.state == .waiting { _ = try await result(of: entry.id) }
    }

    /// nil while the entry waits.
    private func outcome(of entry: OutboxEntry?, _ id: String) -> OutboxResult? {
        switch entry?.state {
        case nil: discarded.contains(id) ? .discarded : .done
        case .waiting: nil
        case .refused(let errors): .refused(errors)
        case .uncertain: .uncertain
        case .conflicting: .conflicting
        case .overruled: .overruled
        }
    }

    /// Tries at once, as when the network has come back.
    public func wake() {
        hasNews = true
        pause?.cancel()
        if sending == nil { sending = Task { await drain() } }
    }

    func close() {
        sending?.cancel()
        sending = nil
    }

    // MARK: - Sending

    /// The name by which observers are told that entries are others.
    static let key = "outbox"

    private func drain() async {
        var backOff = BackOff()
        repeat {
            hasNews = false
            do {
                while let entry = try await next() {
                    try await deliver(entry)
                    backOff.reset()
                }
                if let earliest = postponed.values.min() {
                    await wait(ContinuousClock.now.duration(to: earliest))
                    hasNews = true
                }
            } catch {
                let asked = (error as? Unavailable)?.retryAfter ?? (error as? RequestRefused)?.errors.first?.retryAfter
                await wait(backOff.next(atLeast: asked), isFirm: asked != nil)
                hasNews = true
            }
        } while hasNews && !Task.isCancelled
        // A drain that was cancelled may have been followed by another one.
        if !Task.isCancelled { sending = nil }
    }

    /// - Parameter isFirm: whether ``wake()`` leaves the wait as it is, since the server asked for it.
    private func wait(_ duration: Duration, isFirm: Bool = false) async {
        let sleep = Task { do { try await Task.sleep(for: duration) } catch {} }
        if !isFirm { pause = sleep }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        pause = nil
    }

    /// The oldest entry that waits for no other: entries that share an object are sent one after another, and a refused
    /// one stands in nobody's way.
    private func next() async throws -> OutboxEntry? {
        let entries = try await entries()
        postponed = postponed.filter { id, _ in entries.contains { $0.id == id && $0.state == .waiting } }
        let now = ContinuousClock.now
        var blocked: Set<String> = []
        for entry in entries {
            switch entry.state {
            case .refused, .overruled: continue
            case .uncertain, .conflicting: blocked.formUnion(entry.objects)
            case .waiting:
                let isPostponed = postponed[entry.id].map { $0 > now } ?? false
                if !isPostponed, blocked.isDisjoint(with: entry.objects) { return entry }
                blocked.formUnion(entry.objects)
            }
        }
        return nil
    }

    private func deliver(_ entry: OutboxEntry) async throws {
        let time = now()
        if let sentAt = entry.sentAt, time.timeIntervalSince(sentAt) > Self.claimLifetime {
            return try await settle(entry, .uncertain)
        }
        if entry.sentAt == nil, try await isConflicting(entry) {
            return try await settle(entry, entry.conflicts == .ask ? .conflicting : .overruled)
        }
        let uploads = try await store.database.read { try OutboxTable.uploads(of: entry.id, in: $0) }
        // The note comes first: an entry without it was certainly not done.
        try await store.write { try OutboxTable.setSent(entry.id, at: time, in: $0.database) }
        let response = try await send(
            OutboxRequest(
                document: ClientDocument(name: entry.operation, id: entry.documentID, text: entry.document),
                variables: entry.variables, uploads: uploads))
        if let data = response.data, data.fields.contains(where: { $0.value != .null }) {
            let faults = data.fields.flatMap { $0.value.object?["userErrors"]?.list ?? [] }
            if faults.isEmpty { return try await complete(entry, response, data) }
            return try await settle(entry, .refused(faults.map(ResponseError.init(userError:))))
        }
        let refusal = RequestRefused(response.errors)
        guard refusal.isPassing, entry.attempts < Self.maximumAttempts || !refusal.isFault else {
            return try await settle(entry, .refused(response.errors))
        }
        guard refusal.isFault else { throw refusal }
        // The fault may be this entry's alone: the others do not wait for it.
        var backOff = BackOff(failures: entry.attempts)
        postponed[entry.id] = .now.advanced(by: backOff.next())
    }

    /// Whether somebody else has changed what the entry changes, by the server's answer to its query.
    private func isConflicting(_ entry: OutboxEntry) async throws -> Bool {
        guard let base = entry.base else { return false }
        if let reading = entry.reading, let selection = selections[reading.document.name] {
            let response = try await send(reading)
            guard let data = response.data else { throw RequestRefused(response.errors) }
            try await store.write { transaction in
                try transaction.merge(
                    data, selection, key: Normaliser.queryRoot, variables: reading.variables, errors: response.errors)
            }
        }
        return try await store.database.read { database in
            try base.differs { try RecordTable.record($0, in: database) }
        }
    }

    /// Stores the answer and drops the entry with its patches, in one transaction: a like never shows twice.
    private func complete(_ entry: OutboxEntry, _ response: Response, _ data: JSONObject) async throws {
        let selection = selections[entry.operation]
        try await store.write { transaction in
            transaction.changed.formUnion(try RecordTable.dropPatches(of: entry.id, in: transaction.database))
            try OutboxTable.remove(entry.id, in: transaction.database)
            transaction.changed.insert(Self.key)
            guard let selection else { return }
            var normaliser = Normaliser(
                schema: transaction.schema, variables: entry.variables, errors: response.errors)
            normaliser.add(data, selection, key: "")
            let records = normaliser.records.filter { !$0.key.isEmpty }
            transaction.changed.formUnion(try RecordTable.merge(records, in: transaction.database))
            // What this account wrote is no conflict for what it wrote next.
            for later in try OutboxTable.entries(in: transaction.database) {
                guard let base = later.base, later.state == .waiting else { continue }
                let next = try base.updated(for: Set(records.keys)) {
                    try RecordTable.record($0, in: transaction.database)
                }
                if next != base { try OutboxTable.setBase(next, of: later.id, in: transaction.database) }
            }
        }
    }

    /// A refused or overruled entry no longer changes what is shown; its input is kept for mending.
    private func settle(_ entry: OutboxEntry, _ state: OutboxEntry.State) async throws {
        try await store.write { transaction in
            switch state {
            case .refused, .overruled:
                transaction.changed.formUnion(try RecordTable.dropPatches(of: entry.id, in: transaction.database))
            case .waiting, .uncertain, .conflicting: break
            }
            try OutboxTable.setState(state, of: entry.id, in: transaction.database)
            transaction.changed.insert(Self.key)
        }
    }
}

/// What became of a write.
public enum OutboxResult: Sendable, Equatable {
    case done
    case refused([ResponseError])
    /// It may have been done: the answer was lost, and too long ago to ask for it again.
    case uncertain
    /// Somebody else changed the same, and the policy is to ask: the app retries or discards.
    case conflicting
    /// Somebody else changed the same, and the policy is that the server wins.
    case overruled
    case discarded
}

/// The mutation does not take its input in the variable `input`.
public struct NoMutationInput: Error, Sendable, Equatable {}

extension GraphQLOperation {
    static var dataSelection: SelectionSet { Data.selection }
}

extension RequestRefused {
    /// Whether the same request may succeed later.
    var isPassing: Bool {
        errors.contains {
            ["RATE_LIMITED", "TIMEOUT", "UNAVAILABLE", "OVERLOADED", "UNAUTHENTICATED"].contains($0.code)
        } || isFault
    }

    /// Whether it is the server's fault: a code that the client does not know counts as INTERNAL_SERVER_ERROR.
    var isFault: Bool {
        let ours = [
            "BAD_REQUEST", "BAD_USER_INPUT", "CURSOR_EXPIRED", "DOCUMENT_NOT_TRUSTED", "FORBIDDEN",
            "GRAPHQL_PARSE_FAILED",
            "GRAPHQL_VALIDATION_FAILED", "NOT_FOUND", "OPERATION_RESOLUTION_FAILED", "QUERY_TOO_COMPLEX",
            "RATE_LIMITED",
            "TIMEOUT", "UNAVAILABLE", "OVERLOADED", "UNAUTHENTICATED",
        ]
        return !errors.contains { $0.code.map(ours.contains) ?? false }
    }
}

extension ResponseError {
    /// One of a payload's `userErrors`.
    init(userError value: JSONValue) {
        let fault = value.object ?? JSONObject()
        self.init(
            fault["message"]?.text ?? "", code: fault["code"]?.text,
            path: (fault["field"]?.list ?? []).compactMap(\.text),
            extensions: JSONObject([("code", fault["code"] ?? .null)]))
    }
}
