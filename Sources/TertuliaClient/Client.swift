import Foundation

/// An app's way to one server: cached reads, live lists, and writes that wait for a network.
public actor Client {
    public nonisolated let session: Session
    private let endpoint: Endpoint
    private let folder: URL
    private let schema: SchemaDescription
    private let settings: StoreSettings
    private var opened: AccountStore
    private var state: Session.State
    private var following: Task<Void, Never>?
    /// Why the store of the account that is signed in is not `opened`.
    private var failure: (any Error)?

    /// - Parameters:
    ///   - url: the address of `/graphql`.
    ///   - folder: where the stores are: one file an account.
    ///   - schema: `SchemaDescription.generated`.
    ///   - mutations: those that may have been queued by an earlier run, so that their answers are stored.
    ///   - queries: those that may have been queued with a mutation, to be read before it.
    ///   - maximumRecords: how many objects a store may have. Beyond it, lists and queries that were not used for longest
    ///     are forgotten, unless they are pinned or shown.
    ///   - sendsDocumentIDs: true if requests name their documents by ``GraphQLOperation/documentID``, for a server that
    ///     has the generated manifest. A document that the server does not know is sent again as text.
    /// - Throws: where the credentials or the store can be neither read nor made.
    public init(
        url: URL, transport: any Transport, credentials: any CredentialStore, folder: URL, schema: SchemaDescription,
        mutations: [any MutationOperation.Type] = [], queries: [any QueryOperation.Type] = [],
        maximumRecords: Int = 50_000, sendsDocumentIDs: Bool = false
    ) async throws {
        endpoint = Endpoint(url: url, transport: transport, sendsDocumentIDs: sendsDocumentIDs)
        session = try Session(endpoint: endpoint, store: credentials)
        self.folder = folder
        self.schema = schema
        settings = StoreSettings(
            operations: mutations.map { $0 as any GraphQLOperation.Type }
                + queries.map { $0 as any GraphQLOperation.Type }, maximumRecords: maximumRecords)
        state = await session.state
        opened = try Self.open(state, endpoint, session, folder, schema, settings)
        await opened.outbox.wake()
        following = Task { [weak self, session] in
            for await _ in await session.states { await self?.follow() }
        }
    }

    deinit { following?.cancel() }

    private static func open(
        _ state: Session.State, _ endpoint: Endpoint, _ session: Session, _ folder: URL, _ schema: SchemaDescription,
        _ settings: StoreSettings
    ) throws -> AccountStore {
        let store = try Store(
            folder: folder, server: endpoint.url, account: state.account?.id ?? "nobody", schema: schema,
            maximumRecords: settings.maximumRecords)
        return AccountStore(
            store, account: state.account, endpoint: endpoint, session: session,
            operations: settings.operations)
    }

    /// The store of the account that the session has now, whatever `follow` has heard yet.
    /// - Throws: where the account's store can be neither read nor made.
    private func current() async throws -> AccountStore {
        await follow()
        if let failure { throw failure }
        return opened
    }

    /// What another account saw is in another file; that of a session which the server has ended is deleted.
    private func follow() async {
        var next = await session.state
        while next != state {
            let previous = state
            state = next
            var hasEnded = false
            if case .ended = next { hasEnded = true }
            if hasEnded || next.account?.id != previous.account?.id {
                let left = opened
                do {
                    opened = try Self.open(next, endpoint, session, folder, schema, settings)
                    failure = nil
                    await opened.outbox.wake()
                } catch {
                    failure = error
                }
                await left.close()
                if hasEnded { try? left.store.delete() }
            }
            next = await session.state
        }
    }

    private struct StoreSettings {
        let operations: [any GraphQLOperation.Type]
        let maximumRecords: Int
    }

    // MARK: - Reads

    /// Reads from the server, and stores the answer.
    public func fetch<Query: QueryOperation>(_ query: Query) async throws -> StoredValue<Query.Data> {
        let account = try await current()
        let response = try await account.send(query)
        if response.data == nil { throw RequestRefused(response.errors) }
        try await account.store.write(response, of: query)
        return try await account.store.read(query)
    }

    /// What the store has.
    public func cached<Query: QueryOperation>(_ query: Query) async throws -> StoredValue<Query.Data> {
        try await current().store.read(query)
    }

    /// What the store has now, and after each change.
    public func observe<Query: QueryOperation>(_ query: Query) async throws -> AsyncThrowingStream<
        StoredValue<Query.Data>, any Error
    > {
        try await current().store.observe(query)
    }

    /// Keeps what a query has read, however full the store is; or no longer.
    public func setPinned<Query: QueryOperation>(_ isPinned: Bool, _ query: Query) async throws {
        try await current().store.setPinned(isPinned, query)
    }

    /// Where the account's file was put because it was damaged, before a new one was begun: what it had not sent is lost.
    /// nil where the file was sound.
    public var damagedStore: URL? {
        get async throws { try await current().store.setAside }
    }

    /// A list that follows the server.
    public func live<Query: LiveQuery>(_ query: Query, changes: Query.Changes) async throws -> LiveList<Query> {
        LiveList(query, changes: changes, account: try await current())
    }

    // MARK: - Writes

    /// The writes of the account that is signed in.
    public var outbox: Outbox {
        get async throws { try await current().outbox }
    }

    /// Queues a mutation; see ``Outbox/perform(_:objects:patches:conflicts:reading:)``.
    @discardableResult
    public func perform<Mutation: MutationOperation>(
        _ mutation: Mutation, objects: [String], patches: [RecordPatch] = [],
        conflicts: ConflictPolicy = .lastWriter, reading: (any QueryOperation)? = nil
    ) async throws -> String {
        try await current().outbox.perform(
            mutation, objects: objects, patches: patches, conflicts: conflicts, reading: reading)
    }

    // MARK: - The session

    /// Signs in. What an anonymous account has queued is sent before the account moves into the one signed in to: this
    /// waits for a network.
    ///
    /// - Parameters:
    ///   - login: an address or a username.
    ///   - mergeAnonymous: whether what the anonymous account of this session owns moves.
    public func signIn(login: String, password: String, mergeAnonymous: Bool = false) async throws {
        if mergeAnonymous { try await current().outbox.settled() }
        try await session.signIn(login: login, password: password, mergeAnonymous: mergeAnonymous)
        await follow()
    }

    /// Signs out.
    ///
    /// - Parameters:
    ///   - leavingWrites: whether writes that are not answered stay on the device, to be sent when the same account signs
    ///     in here again.
    ///   - isAnonymousNext: whether an anonymous account follows at once.
    /// - Throws: ``WritesWait`` where there are such writes and they are not to be left.
    public func signOut(leavingWrites: Bool = false, isAnonymousNext: Bool = false) async throws {
        let entries = try await current().outbox.entries()
        guard leavingWrites || entries.isEmpty else { throw WritesWait(entries: entries) }
        try await session.signOut()
        await follow()
        guard isAnonymousNext else { return }
        try await session.signInAnonymously()
        await follow()
    }

    /// The store of the account that is signed in.
    var accountStore: Store { opened.store }

    /// Ends sockets and sending. What waits stays in the store.
    public func close() async {
        following?.cancel()
        await opened.close()
    }
}

/// Writes of the account are not answered yet, or refused and kept for mending.
public struct WritesWait: Error, Sendable, Equatable {
    /// The oldest first.
    public var entries: [OutboxEntry]
}

extension Session.State {
    /// Who is signed in; nil for nobody.
    public var account: Account? { if case .signedIn(let account) = self { account } else { nil } }
}
