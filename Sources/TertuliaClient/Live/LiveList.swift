import GRDB

/// A list that follows the server: its rows come from the store, into which the server's page and every change are
/// written. It runs while somebody reads ``values``.
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

    /// Loads the page after the loaded rows; nothing where there is none.
    public func loadMore() async throws {
        writer.loads.begin()
        defer { writer.loads.end() }
        guard let state = try await writer.state(), state.hasNextPage, let cursor = state.endCursor else { return }
        try await writer.write(pages: [try await page(query.page(after: cursor))], isFirst: false)
    }

    /// Reads the list anew: as many rows as are loaded, and a page at least.
    public func reload() async throws {
        writer.loads.begin()
        defer { writer.loads.end() }
        let count = try await writer.rowCount()
        var pages = [try await page(query)]
        while pages.reduce(0, { $0 + $1.edges.count }) < count, let last = pages.last, last.hasNextPage,
            let cursor = last.endCursor
        {
            pages.append(try await page(query.page(after: cursor)))
        }
        try await writer.write(pages: pages, isFirst: true)
    }

    private func page(_ query: Query) async throws -> LiveListPage {
        try LiveListPage(try await account.send(query), connection: Query.connection)
    }

    /// Keeps the rows on the device, however full the store is; or no longer.
    public func setPinned(_ isPinned: Bool) async throws { try await writer.setPinned(isPinned) }

    // MARK: - What is shown

    private func read(_ yield: @Sendable (LiveRows<Row>) -> Void) async throws {
        let observers = account.store.observers
        let observer = await observers.add()
        await observers.show([writer.name])
        readers += 1
        if synchronising == nil { synchronising = Task { await synchronise() } }
        var view = LiveListView<Row>(
            name: writer.name, listKey: writer.listKey, variables: query.variables.values)
        do {
            for await _ in observer.wakeUps {
                await observers.beginRead(observer.id)
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
    }

    private func set(_ next: LiveRows<Row>.Phase) async {
        guard phase != next else { return }
        phase = next
        await account.store.observers.notify([writer.listKey])
    }

    // MARK: - What the server says

    private func synchronise() async {
        var backOff = BackOff()
        try? await writer.touch()
        while readers > 0 {
            do {
                try await follow(&backOff)
                throw TransportError("The server has completed the subscription.")
            } catch is CancellationError {
                return
            } catch let error as RequestRefused where error.has("CURSOR_EXPIRED") {
                // The rows stay until the server's take their place.
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
            document: Query.Changes.clientDocument,
            variables: { after in (after.map(changes.resuming) ?? changes).variables.values },
            cursor: { $0.data?[Query.Changes.changeField]?.object?["cursor"]?.text })
    }
}
