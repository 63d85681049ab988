import Foundation
import GRDB

/// The waiting writes of one account. Each write is stored with its patches before it is sent. A write whose answer was
/// lost is sent again under the same `clientMutationId`, so that the server does it once.
public actor Outbox {
    /// How long the server remembers a mutation that it did, in seconds.
    public static let claimLifetime: TimeInterval = 30 * 24 * 60 * 60
    /// The number of the server's faults after which an entry is left to the app. Neither a network that fails nor a
    /// server that has too much to do counts: the entry is not their cause.
    private static let maximumFaults = 8

    private let store: Store
    private let send: @Sendable (OutboxRequest) async throws -> Response
    private let now: @Sendable () -> Date
    /// The selections by which answers are stored, by the names of the mutations and of the queries read before them.
    private var selections: [String: SelectionSet]
    private var sending: Task<Void, Never>?
    /// The entries that the app dropped in this run. Any other entry that is gone from the store was done.
    private var discarded: Set<String> = []
    private var hasNews = false
    /// A wait between attempts, which ``wake()`` cuts short.
    private var pause: Task<Void, Never>?
    /// The times until which entries are not sent again, by their ids, after a fault that may concern one entry alone.
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
    ///   - objects: the ids of the objects that the mutation writes or names. Entries that share an object are sent in
    ///     the order in which they were queued.
    ///   - patches: how stored objects are shown until the mutation's answer is there.
    ///   - lists: the objects that lists show, or no longer show, until the lists have changed on the server.
    ///   - conflicts: what becomes of the mutation where somebody else changes the same fields while it waits.
    ///   - reading: a query of these fields. It is sent before the mutation, and its answer is stored and compared.
    ///     Without a query, only changes that the store has got in another way are conflicts.
    /// - Returns: the entry's id.
    /// - Throws: `NoMutationInput` where the mutation has no variable `input`.
    public func perform<Mutation: MutationOperation>(
        _ mutation: Mutation, objects: [String], patches: [RecordPatch] = [], lists: [ListPatch] = [],
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
            variables: variables, objects: objects, state: .waiting, queuedAt: now(), sentAt: nil, faults: 0,
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
            for patch in lists {
                try ListPatchTable.add(patch, entry: id, in: transaction.database)
                transaction.changed.insert(ListTable.changeKey(of: patch.list))
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

    /// All entries now, and after each change of one, the oldest first. A reader that is slow gets the newest state
    /// alone. The sequence ends when another account signs in.
    public nonisolated var values: AsyncThrowingStream<[OutboxEntry], any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task { [store] in
                let observer = await store.observers.add()
                // Watched from before the first read, so that no change is missed.
                await store.observers.watch([Self.key], observer.id)
                do {
                    var last: [OutboxEntry]?
                    for await _ in observer.wakeUps {
                        let entries = try await store.database.read { try OutboxTable.entries(in: $0) }
                        if entries != last { continuation.yield(entries) }
                        last = entries
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
                await store.observers.remove(observer.id)
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Sends an entry again that is refused, overruled, uncertain or in conflict. Its patches show again. Conflicts are
    /// not looked for any more. An entry that waits is only tried at once.
    ///
    /// - Parameter id: the entry's id.
    public func retry(_ id: String) async throws {
        postponed[id] = nil
        try await store.write { transaction in
            let entry = try OutboxTable.entry(id, in: transaction.database)
            guard let entry, entry.state != .waiting else { return }
            try OutboxTable.setState(.waiting, of: id, in: transaction.database)
            // The server may have done a write at which it failed, and forgets it 30 days after the first attempt.
            let mayBeDone = entry.faults >= Self.maximumFaults
            try OutboxTable.beginAnew(id, sentAt: mayBeDone ? entry.sentAt : nil, in: transaction.database)
            try OutboxTable.setBase(nil, of: id, in: transaction.database)
            transaction.changed.formUnion(try RecordTable.patchedKeys(of: id, in: transaction.database))
            transaction.changed.insert(Self.key)
        }
        wake()
    }

    /// Drops an entry with its patches, which then no longer show.
    public func discard(_ id: String) async throws {
        discarded.insert(id)
        try await store.write { transaction in
            transaction.changed.formUnion(try RecordTable.dropPatches(of: id, in: transaction.database))
            try OutboxTable.remove(id, in: transaction.database)
            transaction.changed.insert(Self.key)
        }
    }

    /// Waits until the entry waits no longer, and tells what became of it.
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

    /// Waits until each entry that waits now is done, discarded or left to the app.
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

    /// True where nothing is sent before the next ``wake()``.
    var isResting: Bool { sending == nil }

    func close() {
        sending?.cancel()
        sending = nil
    }

    // MARK: - Sending

    /// The key under which observers are told that entries have changed.
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

    /// - Parameter isFirm: whether ``wake()`` does not cut the wait short, since the server asked for it.
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

    /// The oldest entry that can be sent now. Entries that share an object are sent one after another. An entry that is
    /// refused or overruled holds up no other. Where nil is returned, `postponed` has the times that are worth waiting
    /// for: an entry whose time has passed is held up by another one.
    private func next() async throws -> OutboxEntry? {
        let entries = try await entries()
        let now = ContinuousClock.now
        postponed = postponed.filter { id, time in
            time > now && entries.contains { $0.id == id && $0.state == .waiting }
        }
        var blocked: Set<String> = []
        for entry in entries {
            switch entry.state {
            case .refused, .overruled: continue
            case .uncertain, .conflicting: blocked.formUnion(entry.objects)
            case .waiting:
                if postponed[entry.id] == nil, blocked.isDisjoint(with: entry.objects) { return entry }
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
        // The time is stored before the entry is sent: an entry without it was certainly not done.
        try await store.write { transaction in
            try OutboxTable.setSent(entry.id, at: time, in: transaction.database)
            transaction.changed.insert(Self.key)
        }
        let mark = store.meanwhile.begin()
        defer { store.meanwhile.end(mark) }
        let response = try await send(
            OutboxRequest(
                name: entry.operation, document: entry.document, variables: entry.variables, uploads: uploads))
        if let data = response.data, data.fields.contains(where: { $0.value != .null }) {
            let faults = data.fields.flatMap { $0.value.object?["userErrors"]?.list ?? [] }
            if faults.isEmpty { return try await complete(entry, response, data, since: mark) }
            return try await settle(entry, .refused(faults.map(ResponseError.init(userError:))))
        }
        let refusal = RequestRefused(response.errors)
        guard refusal.isPassing else { return try await settle(entry, .refused(response.errors)) }
        guard refusal.isFault else { throw refusal }
        try await store.write { transaction in
            try OutboxTable.addFault(to: entry.id, in: transaction.database)
            transaction.changed.insert(Self.key)
        }
        guard entry.faults + 1 < Self.maximumFaults else {
            return try await settle(entry, .refused(response.errors))
        }
        // The fault may concern this entry alone, so entries of other objects do not wait for it.
        var backOff = BackOff(failures: entry.faults)
        postponed[entry.id] = .now.advanced(by: backOff.next())
    }

    /// True where somebody else has changed the fields that the entry changes. Its query, if it has one, is read first.
    private func isConflicting(_ entry: OutboxEntry) async throws -> Bool {
        guard let base = entry.base else { return false }
        if let reading = entry.reading, let selection = selections[reading.name] {
            let mark = store.meanwhile.begin()
            defer { store.meanwhile.end(mark) }
            let response = try await send(reading)
            guard let data = response.data else { throw RequestRefused(response.errors) }
            try await store.write { [meanwhile = store.meanwhile] transaction in
                let records = try transaction.merge(
                    data, selection, key: Normaliser.queryRoot, variables: reading.variables, errors: response.errors)
                try transaction.merge(meanwhile.changes(since: mark), over: records)
            }
        }
        return try await store.database.read { database in
            try base.differs { try RecordTable.record($0, in: database) }
        }
    }

    /// Stores the answer and drops the entry with its patches, in one transaction: a like never shows twice. Patches of
    /// lists stay until the lists have changed.
    private func complete(
        _ entry: OutboxEntry, _ response: Response, _ data: JSONObject, since mark: RecordChanges.Mark
    ) async throws {
        let selection = selections[entry.operation]
        try await store.write { [meanwhile = store.meanwhile] transaction in
            let patches = try RecordTable.patches(of: entry.id, in: transaction.database)
            try ListPatchTable.keepAnswered(entry.id, in: &transaction)
            transaction.changed.formUnion(try RecordTable.dropPatches(of: entry.id, in: transaction.database))
            try OutboxTable.remove(entry.id, in: transaction.database)
            transaction.changed.insert(Self.key)
            guard let selection else { return }
            let records = try transaction.merge(
                mutation: data, selection, variables: entry.variables, errors: response.errors)
            // The account's own write is no conflict for the entries that it has queued since.
            for later in try OutboxTable.entries(in: transaction.database) {
                guard let base = later.base, later.state == .waiting else { continue }
                let next = try base.updated(for: Set(records.keys)) {
                    try RecordTable.record($0, in: transaction.database)
                }
                if next != base { try OutboxTable.setBase(next, of: later.id, in: transaction.database) }
            }
            let newer = meanwhile.changes(since: mark).filter { !$0.isAnswer }.map { change in
                RecordChange(
                    records: change.records.filter { key, record in
                        patches[key]?.allSatisfy { $0.isShown(in: record) } ?? true
                    }, isAnswer: false)
            }
            meanwhile.note(RecordChange(records: records, isAnswer: true))
            try transaction.merge(newer, over: records)
        }
    }

    /// Stores the outcome of an entry that the app has to look at. The patches of a refused or overruled entry no
    /// longer show. The entry keeps them and its input, so that the app can mend it or try it again.
    private func settle(_ entry: OutboxEntry, _ state: OutboxEntry.State) async throws {
        try await store.write { transaction in
            try OutboxTable.setState(state, of: entry.id, in: transaction.database)
            transaction.changed.formUnion(try RecordTable.patchedKeys(of: entry.id, in: transaction.database))
            transaction.changed.insert(Self.key)
        }
    }
}

/// What became of a write.
public enum OutboxResult: Sendable, Equatable {
    case done
    case refused([ResponseError])
    /// The write may have been done. Its answer was lost, and the server no longer remembers the mutation.
    case uncertain
    /// Somebody else changed the same fields, and the policy is to ask: the app retries or discards.
    case conflicting
    /// Somebody else changed the same fields, and the policy is that the server wins.
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

    /// True where the server itself failed. A code that the client does not know counts as INTERNAL_SERVER_ERROR.
    var isFault: Bool {
        let otherCodes = [
            "BAD_REQUEST", "BAD_USER_INPUT", "CURSOR_EXPIRED", "DOCUMENT_NOT_TRUSTED", "FORBIDDEN",
            "GRAPHQL_PARSE_FAILED",
            "GRAPHQL_VALIDATION_FAILED", "NOT_FOUND", "OPERATION_RESOLUTION_FAILED", "QUERY_TOO_COMPLEX",
            "RATE_LIMITED",
            "TIMEOUT", "UNAVAILABLE", "OVERLOADED", "UNAUTHENTICATED",
        ]
        return !errors.contains { $0.code.map(otherCodes.contains) ?? false }
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
