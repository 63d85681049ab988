import GraphQL
import Synchronization
import TestSupport

/// What is posted on a board, to all who read it then. Its readers rest in between.
final class Board: Sendable {
    struct Post: ObjectValue, SharedEvent {
        let text: String
        let audience: EventAudience<TestContext>?
        var onReceipt: (@Sendable () -> Void)?

        var position: String? { text }
    }

    private static let boards = Mutex<[String: Board]>([:])

    /// A reference that is only compared with nil, so threads may share it.
    private struct Noted: @unchecked Sendable { weak let object: AnyObject? }

    private let readers = Mutex<[ObjectIdentifier: Reader]>([:])
    private let shared = Mutex<[Noted]>([])

    static func named(_ name: String) -> Board {
        boards.withLock { boards in
            if let board = boards[name] { return board }
            let board = Board()
            boards[name] = board
            return board
        }
    }

    /// How many read it.
    var count: Int { readers.withLock { $0.count } }

    /// Waits until so many read it.
    func waitForReaders(_ count: Int, fileID: StaticString = #fileID, line: UInt = #line) async throws {
        try await eventually("\(count) readers of the board, not \(self.count)", fileID: fileID, line: line) {
            self.count == count
        }
    }

    /// Waits until the executions and responses of all posts are released.
    func waitForRelease(fileID: StaticString = #fileID, line: UInt = #line) async throws {
        try await eventually("the release of all posts", fileID: fileID, line: line) {
            shared.withLock { $0.allSatisfy { $0.object == nil } }
        }
    }

    private func note(_ object: AnyObject) {
        let noted = Noted(object: object)
        shared.withLock { $0.append(noted) }
    }

    func read() -> Reader {
        let reader = Reader(self)
        readers.withLock { $0[ObjectIdentifier(reader)] = reader }
        return reader
    }

    fileprivate func leave(_ reader: Reader) { readers.withLock { $0[ObjectIdentifier(reader)] = nil } }

    /// One execution for all who rest.
    /// - Returns: how many it was handed to.
    func post(_ text: String) async throws -> Int {
        let responses = Responses()
        note(responses)
        var handed = 0
        for reader in readers.withLock({ Array($0.values) }) {
            let audience = EventAudience<TestContext>(context: TestContext(viewer: nil), executions: responses)
            if try await reader.take(Post(text: text, audience: audience)) { handed += 1 }
        }
        return handed
    }

    /// For each reader by itself.
    func post(_ text: String, onReceipt: @escaping @Sendable () -> Void) {
        for reader in readers.withLock({ Array($0.values) }) {
            reader.queue(Post(text: text, audience: nil, onReceipt: onReceipt))
        }
    }

    /// One subscription.
    final class Reader: ParkableEvents, AsyncSequence {
        private struct State {
            var posts: [Post] = []
            var resting: ParkedReader<Post>?
        }

        private let board: Board
        private let state = Mutex(State())

        init(_ board: Board) { self.board = board }

        var position: StreamPosition? { nil }

        fileprivate func take(_ post: Post) async throws -> Bool {
            let reader = state.withLock { $0.resting }
            if let reader {
                let isHanded = try await Task(executorPreference: reader.sink.executor) {
                    let response = try await reader.response(to: post)
                    self.board.note(response)
                    return reader.sink.write(response)
                }.value
                if isHanded { return true }
            }
            queue(post)
            return false
        }

        fileprivate func queue(_ post: Post) {
            let resting = state.withLock { state in
                state.posts.append(post)
                defer { state.resting = nil }
                return state.resting
            }
            resting?.sink.wake()
        }

        func park(_ reader: ParkedReader<Post>) -> Bool {
            state.withLock { state in
                guard state.posts.isEmpty else { return false }
                state.resting = reader
                return true
            }
        }

        func stop() {
            board.leave(self)
            state.withLock { $0.resting = nil }
        }

        func makeAsyncIterator() -> Iterator { Iterator(reader: self) }

        struct Iterator: AsyncIteratorProtocol {
            let reader: Reader

            func next() async throws -> Post? {
                let posts = reader.state.withLock { state in
                    defer { if !state.posts.isEmpty { state.posts.removeFirst() } }
                    return state.posts
                }
                return posts.first
            }
        }
    }
}

private final class Responses: ExecutionSharing {
    private let known = Mutex<[SelectionKey: Response]>([:])

    func response(
        to selection: SelectionKey, _ execute: @escaping @Sendable () async throws -> Response
    ) async throws -> Response {
        if let known = known.withLock({ $0[selection] }) { return known }
        let response = try await execute()
        known.withLock { $0[selection] = response }
        return response
    }
}
