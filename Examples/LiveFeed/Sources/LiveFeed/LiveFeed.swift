import Foundation
import TertuliaClient
import TertuliaClientNIO

/// Shows the feed, kept up to date, and likes the row whose number is typed in, also while the server is away.
@main struct LiveFeed {
    static func main() async throws {
        guard let url = URL(string: CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080/graphql") else {
            return
        }
        let folder = FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".live-feed")
        let client = try await Client(
            url: url, transport: NIOTransport(),
            credentials: FileCredentialStore(file: folder.appendingPathComponent("credentials")), folder: folder,
            schema: .generated, mutations: [LikeMutation.self])
        if await client.session.state.account == nil { try await client.session.signInAnonymously() }

        let list = try await client.live(FeedQuery(first: 20), changes: FeedChangesSubscription())
        let lines = typedLines()
        async let liking: Void = {
            for await line in lines {
                guard let number = Int(line), let feed = try await list.values.first(where: { _ in true }),
                    feed.ids.indices.contains(number - 1)
                else { continue }
                try await like(feed.ids[number - 1], client)
            }
        }()
        for try await feed in list.values { show(feed) }
        try await liking
    }

    /// Queues a like, which is shown at once, sent as soon as there is a network, and done once.
    private static func like(_ thought: String, _ client: Client) async throws {
        try await client.perform(
            LikeMutation(input: LikeThoughtInput(thoughtId: thought)), objects: [thought],
            patches: [RecordPatch(thought, [("likeCount", .add(1))])])
    }

    private static func show(_ feed: LiveRows<FeedRow>) {
        print("— \(feed.phase)")
        for (number, row) in zip(1..., feed.rows.prefix(10)) {
            let text = row.asThought.map { "\($0.text) ♥ \($0.likeCount)" } ?? row.asEvent?.name ?? ""
            print("\(number). \(row.author.displayName): \(text)")
        }
    }

    private static func typedLines() -> AsyncStream<String> {
        AsyncStream { continuation in
            // Reading a line blocks its thread.
            Thread.detachNewThread {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
