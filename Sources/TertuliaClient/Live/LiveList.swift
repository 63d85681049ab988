import GRDB

/// A list that follows the server while ``values`` is read. The server's pages and changes are written into the store,
/// and the rows are read from there.
public actor LiveList<Query: LiveQuery> {
    public typealias Row = Query.Row

    private let query: Query
    private let changes: Query.Changes
    private let account: AccountStore
    private let writer: LiveListWriter<Query>
    private var phase = LiveRows<Row>.Phase.cached
    private var readers = 0
    private var synchronising: Task<Void, Never>?

    init(_ query: Query, changes: Query.Changes, account: AccountStore) {
        self.query = query
        self.changes = changes
        self.account = account
        writer = LiveListWriter(query, store: account.store)
    }

    /// The list now, and after each change. A reader that is slow gets the newest state alone.
    public nonisolated var values: AsyncThrowingStream<LiveRows<Row>, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    try await read { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Loads the page after the loaded rows, if there is one.
    public func loadMore() async throws {
        let mark = writer.loads.begin()
        defer { writer.loads.end(mark) }
        guard let state = try await writer.state(), state.hasNextPage, let cursor = state.endCursor else { return }
        try await writer.write(pages: [try await page(query.page(after: cursor))], isFirst: false)
    }

    /// Reads the list anew from the server: a first page, and more pages until there are as many rows as before.
    public func reload() async throws {
        let mark = writer.loads.begin()
        defer { writer.loads.end(mark) }
        let count = try await writer.rowCount()
        let transaction = try await writer.lastTransaction()
        var pages = [try await page(query)]
        while pages.reduce(0, { $0 + $1.edges.count }) < count, let last = pages.last, last.hasNextPage,
            let cursor = last.endCursor
        {
            pages.append(try await page(query.page(after: cursor)))
        }
        try await writer.write(pages: pages, isFirst: true, askedAfter: transaction)
    }

    private func page(_ query: Query) async throws -> LiveListPage {
        try LiveListPage(try await account.send(query), connection: Query.connection)
    }

    /// Pins the rows, or ends that. Pinned rows stay on the device however full the store is.
    public func setPinned(_ isPinned: Bool) async throws { try await writer.setPinned(isPinned) }

    // MARK: - Reading the rows

    private func read(_ yield: @Sendable (LiveRows<Row>) -> Void) async throws {
        let observers = account.store.observers
        let observer = await observers.add()
        await observers.show([writer.name])
        readers += 1
        if synchronising == nil { synchronising = Task { await synchronise() } }
        var view = LiveListView<Row>(
            name: writer.name, variables: query.variables.values, addresses: account.store.addresses)
        do {
            for await _ in observer.wakeUps {
                await observers.beginRead(observer.id)
                // The phase is taken before the rows are read: a live list shows rows that were read when it was live.
                let phase = phase
                let changes = account.store.changedKeys
                let answer = try await account.store.database.read { [view] in try view.read(changes, in: $0) }
                view.take(answer)
                await observers.watch(view.dependencies, observer.id)
                yield(view.snapshot(phase))
            }
        } catch {
            await leave(observer.id)
            throw error
        }
        await leave(observer.id)
    }

    private func leave(_ observer: Int) async {
        await account.store.observers.remove(observer)
        await account.store.observers.hide([writer.name])
        readers -= 1
        guard readers == 0 else { return }
        synchronising?.cancel()
        synchronising = nil
        // The next reader is shown what the store has.
        phase = .cached
    }

    private func set(_ next: LiveRows<Row>.Phase) async {
        // A task that was cancelled tells of a server that nobody follows any more.
        guard phase != next, !Task.isCancelled else { return }
        phase = next
        await account.store.observers.notify([writer.listKey])
    }

    // MARK: - Following the server

    private func synchronise() async {
        await followUntilRefused()
        // The next reader tries again. After a cancellation, another task may follow already.
        if !Task.isCancelled { synchronising = nil }
    }

    /// Returns when the server ends the session or asks for one, and on cancellation. After any other error it tries
    /// again.
    private func followUntilRefused() async {
        var backOff = BackOff()
        try? await writer.touch()
        while readers > 0 {
            do {
                try await follow(&backOff)
                throw TransportError("The server has completed the subscription.")
            } catch is CancellationError {
                return
            } catch let error as RequestRefused where error.has("CURSOR_EXPIRED") {
                // The rows stay until the server's rows replace them.
                try? await writer.forgetCursor()
            } catch let error as RequestRefused where error.has("UNAUTHENTICATED") {
                return await set(.offline)
            } catch {
                if Task.isCancelled { return }
                await set(.offline)
                do { try await Task.sleep(for: backOff.next()) } catch { return }
            }
        }
    }

    private func follow(_ backOff: inout BackOff) async throws {
        if try await writer.state()?.changeCursor == nil {
            await set(.syncing)
            try await reload()
        }
        backOff.reset()
        let after = try await writer.state()?.changeCursor
        for try await event in await account.socket.events(of: request, after: after) {
            switch event {
            case .connected: await set(.live)
            case .interrupted: await set(.offline)
            case .cursor(let cursor): try await writer.write(cursor: cursor)
            case .next(let response):
                if let change = response.data?[Query.Changes.changeField]?.object {
                    try await writer.write(change: change)
                } else if !response.errors.isEmpty {
                    throw RequestRefused(response.errors)
                }
            }
        }
    }

    private var request: SubscriptionRequest {
        let changes = changes
        return SubscriptionRequest(
            name: Query.Changes.name, document: Query.Changes.document,
            variables: { after in (after.map(changes.resuming) ?? changes).variables.values },
            cursor: { $0.data?[Query.Changes.changeField]?.object?["cursor"]?.text })
    }
}
