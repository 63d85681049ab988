import ClientOperations

@testable import TertuliaClient

/// A list as its observer shows it, which reads only what has changed.
actor ShownList {
    private let writer: LiveListWriter<FeedQuery>
    private var view: LiveListView<FeedQuery.Row>

    init(_ writer: LiveListWriter<FeedQuery>) {
        self.writer = writer
        view = LiveListView(
            name: writer.name, variables: FeedQuery().variables.values, addresses: writer.store.addresses)
    }

    var list: LiveRows<FeedQuery.Row> {
        get async throws {
            let changes = writer.store.changedKeys
            let answer = try await writer.store.database.read { [view] in try view.read(changes, in: $0) }
            view.take(answer)
            return view.snapshot(.live)
        }
    }

    var ids: [String] { get async throws { try await list.ids } }
    var rows: [FeedQuery.Row] { get async throws { try await list.rows } }
}
