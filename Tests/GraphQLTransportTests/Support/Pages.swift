import GraphQL
import Synchronization

struct Page: ObjectValue, SharedEvent {
    let number: Int
    let text: String

    var audience: EventAudience<TestContext>? { nil }
    var position: String? { "page \(number)" }
}

/// Pages one after another, then silence at the place "end".
final class Pages: AsyncSequence, ResumableEvents {
    private let count: Int
    private let bytes: Int
    /// Whether it ever says that all was sent.
    private let rests: Bool
    private let asked = Mutex(0)

    init(count: Int, bytes: Int, rests: Bool) {
        self.count = count
        self.bytes = bytes
        self.rests = rests
    }

    var position: StreamPosition? {
        let asked = asked.withLock { $0 }
        if asked > count && rests { return StreamPosition("end", isCaughtUp: true) }
        return StreamPosition("page \(Swift.max(0, asked - 1))", isCaughtUp: false)
    }

    func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    struct Iterator: AsyncIteratorProtocol {
        let pages: Pages

        mutating func next() async throws -> Page? {
            let number = pages.asked.withLock { asked in
                asked += 1
                return asked
            }
            if number <= pages.count { return Page(number: number, text: String(repeating: "x", count: pages.bytes)) }
            try await Task.sleep(for: .seconds(600))
            return nil
        }
    }
}
