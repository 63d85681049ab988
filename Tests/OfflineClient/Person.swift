import ClientOperations
import Foundation
import TertuliaClient

/// Writes at random and reads the feed.
actor Person {
    private let client: Client
    private let name: String
    private let pace: Double
    private var random: SplitMix
    private var shown: LiveRows<FeedQuery.Row>?
    private var isSettling = false
    private var number = 0
    private let run = UUID().uuidString.prefix(8)

    init(_ client: Client, name: String, seed: UInt64, pace: Double) {
        self.client = client
        self.name = name
        self.pace = pace
        random = SplitMix(state: seed)
    }

    func settle() { isSettling = true }

    // MARK: - Reading

    func read() async throws {
        let list = try await client.live(FeedQuery(first: 100), changes: FeedChangesSubscription())
        for try await rows in list.values {
            shown = rows
            if rows.hasNextPage, rows.phase == .live {
                // A network that breaks here is tried again at the next change.
                try? await list.loadMore()
            }
            if isSettling { try await tell(rows) }
        }
    }

    private func tell(_ rows: LiveRows<FeedQuery.Row>) async throws {
        let entries = try await client.outbox.entries()
        Report.write([
            ("rows", .list(rows.ids.map(JSONValue.string))),
            ("texts", .list(rows.rows.map { .string($0.asThought?.text ?? "") })),
            ("likes", .list(rows.rows.map { .int($0.asThought?.likeCount ?? 0) })),
            ("phase", .string("\(rows.phase)")), ("isWhole", .boolean(!rows.hasNextPage)),
            ("stale", .boolean(rows.isStale)), ("waiting", .int(entries.filter { $0.state == .waiting }.count)),
            ("left", .list(entries.filter { $0.state != .waiting }.map { .string($0.id) })),
        ])
    }

    // MARK: - Writing

    func write() async throws {
        while true {
            try await Task.sleep(for: .milliseconds(Int(Double.random(in: 0...2000, using: &random) / pace)))
            if isSettling {
                if let shown { try await tell(shown) }
                try await Task.sleep(for: .milliseconds(300))
            } else {
                try await act()
            }
        }
    }

    private func act() async throws {
        let thoughts = zip(shown?.ids ?? [], shown?.rows ?? []).filter { $0.1.asThought != nil }
        let own = thoughts.filter { $0.1.author.person.username == name }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: try await create()
        case 4..<6: if let one = thoughts.randomElement(using: &random) { try await like(one.0) }
        case 6..<8: if let one = thoughts.randomElement(using: &random) { try await unlike(one.0) }
        case 8 where own.count > 3: if let one = own.randomElement(using: &random) { try await delete(one.0, one.1) }
        default: break
        }
    }

    /// Without an id of the client's, so that a write that was done twice shows as two thoughts.
    private func create() async throws {
        number += 1
        let text = "\(name) \(run) \(number)"
        Report.write([("will", .string("create")), ("text", .string(text))])
        let input = CreateThoughtInput(category: .funny, text: text, status: .published)
        let id = try await client.perform(CreateThoughtMutation(input: input), objects: [])
        Report.write([("queued", .string("create")), ("text", .string(text)), ("entry", .string(id))])
    }

    private func like(_ id: String) async throws {
        Report.write([("will", .string("like")), ("thought", .string(id))])
        let entry = try await client.perform(
            LikeThoughtMutation(input: LikeThoughtInput(thoughtId: id)), objects: [id],
            patches: [RecordPatch(id, [("viewerHasLiked", .set(.boolean(true)))])])
        Report.write([("queued", .string("like")), ("thought", .string(id)), ("entry", .string(entry))])
    }

    private func unlike(_ id: String) async throws {
        Report.write([("will", .string("unlike")), ("thought", .string(id))])
        let entry = try await client.perform(
            UnlikeThoughtMutation(input: UnlikeThoughtInput(thoughtId: id)), objects: [id],
            patches: [RecordPatch(id, [("viewerHasLiked", .set(.boolean(false)))])])
        Report.write([("queued", .string("unlike")), ("thought", .string(id)), ("entry", .string(entry))])
    }

    private func delete(_ id: String, _ row: FeedQuery.Row) async throws {
        let text = row.asThought?.text ?? ""
        Report.write([("will", .string("delete")), ("text", .string(text))])
        let entry = try await client.perform(
            DeleteThoughtMutation(input: DeleteThoughtInput(id: id)), objects: [id])
        Report.write([("queued", .string("delete")), ("text", .string(text)), ("entry", .string(entry))])
    }
}

/// Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
