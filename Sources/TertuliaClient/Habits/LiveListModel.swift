// Built on Apple's systems only, and not by this repository's tests, which run on Linux.
#if canImport(SwiftUI)
    import Combine
    import SwiftUI

    /// A live list as an observable object, for iOS 16.
    @MainActor public final class LiveListModel<Query: LiveQuery>: ObservableObject {
        /// nil until the store was read.
        @Published public private(set) var feed: LiveRows<Query.Row>?
        @Published public private(set) var error: (any Error)?
        private var list: LiveList<Query>?
        private var task: Task<Void, Never>?

        public init(_ client: Client, _ query: Query, changes: Query.Changes) {
            task = Task { [weak self] in
                do {
                    let list = try await client.live(query, changes: changes)
                    self?.list = list
                    for try await feed in list.values { self?.feed = feed }
                } catch is CancellationError {} catch {
                    self?.error = error
                }
            }
        }

        deinit { task?.cancel() }

        public func loadMore() async throws { try await list?.loadMore() }
        public func reload() async throws { try await list?.reload() }
    }

    /// A live list as an observable model, for iOS 17 and later.
    @available(iOS 17, macOS 14, *)
    @MainActor @Observable public final class ObservableLiveList<Query: LiveQuery> {
        /// nil until the store was read.
        public private(set) var feed: LiveRows<Query.Row>?
        public private(set) var error: (any Error)?
        @ObservationIgnored private var list: LiveList<Query>?
        @ObservationIgnored private var task: Task<Void, Never>?

        public init(_ client: Client, _ query: Query, changes: Query.Changes) {
            task = Task { [weak self] in
                do {
                    let list = try await client.live(query, changes: changes)
                    self?.list = list
                    for try await feed in list.values { self?.feed = feed }
                } catch is CancellationError {} catch {
                    self?.error = error
                }
            }
        }

        isolated deinit { task?.cancel() }

        public func loadMore() async throws { try await list?.loadMore() }
        public func reload() async throws { try await list?.reload() }
    }

    /// A live list of a view: `@Live(FeedQuery(first: 20), changes: FeedChangesSubscription()) var feed`. The client is
    /// the environment's, from `.tertulia(client)`.
    @MainActor @propertyWrapper public struct Live<Query: LiveQuery>: DynamicProperty {
        @SwiftUI.Environment(\.tertuliaClient) private var client
        @StateObject private var holder = Holder()
        private let query: Query
        private let changes: Query.Changes

        public init(_ query: Query, changes: Query.Changes) {
            self.query = query
            self.changes = changes
        }

        /// nil until the store was read.
        public var wrappedValue: LiveRows<Query.Row>? { holder.model?.feed }
        /// The list's model, which can load more and reload, and has the error; nil before the view's first update.
        public var projectedValue: LiveListModel<Query>? { holder.model }

        public nonisolated func update() {
            MainActor.assumeIsolated {
                if holder.model == nil, let client { holder.begin(LiveListModel(client, query, changes: changes)) }
            }
        }

        @MainActor private final class Holder: ObservableObject {
            private(set) var model: LiveListModel<Query>?
            private var forwarding: AnyCancellable?

            func begin(_ model: LiveListModel<Query>) {
                self.model = model
                forwarding = model.objectWillChange.sink { [weak self] in self?.objectWillChange.send() }
            }
        }
    }

    private struct TertuliaClientKey: EnvironmentKey {
        static let defaultValue: Client? = nil
    }

    extension EnvironmentValues {
        public var tertuliaClient: Client? {
            get { self[TertuliaClientKey.self] }
            set { self[TertuliaClientKey.self] = newValue }
        }
    }

    extension View {
        /// Gives a client to the lists that this view and those within it mark with `@Live`.
        public func tertulia(_ client: Client) -> some View { environment(\.tertuliaClient, client) }
    }
#endif
