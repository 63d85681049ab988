import ChangeFeed
import Postgres
import Synchronization

/// A receipt: a session has received a change of a notification or a message, so its device need not ring for it.
struct PushReceipt: Sendable {
    private let receipts: PushReceipts
    private let session: UUID
    private let object: UUID
    /// The transaction of the change.
    private let transaction: Int64

    /// nil for a request without a session.
    init?(of change: Change, in context: RequestContext) {
        guard let session = context.viewer?.sessionID else { return nil }
        receipts = context.environment.pushReceipts
        self.session = session
        object = change.object.uuid
        transaction = change.position.transaction
    }

    /// Records the receipt. Call it once the client has proven that it has the change.
    func note() { receipts.note(session: session, object: object, transaction: transaction) }
}

/// The receipts of this replica that are not written yet; `PushReceiptWriter` writes them.
public final class PushReceipts: Sendable {
    fileprivate struct Key: Hashable {
        let session: UUID
        let object: UUID
    }

    /// Receipts beyond this number are lost, and devices ring. The number is reached only if the database was out of
    /// reach for long.
    private static let maximumUnwritten = 10_000

    private let unwritten = Mutex<[Key: Int64]>([:])
    fileprivate let noted = ChangeSignal()

    func note(session: UUID, object: UUID, transaction: Int64) {
        let key = Key(session: session, object: object)
        putBack([key: transaction])
        noted.signal()
    }

    fileprivate func take() -> [Key: Int64] {
        unwritten.withLock { unwritten in
            defer { unwritten = [:] }
            return unwritten
        }
    }

    fileprivate func putBack(_ receipts: [Key: Int64]) {
        unwritten.withLock { unwritten in
            for (key, transaction) in receipts where unwritten[key] != nil || unwritten.count < Self.maximumUnwritten {
                unwritten[key] = max(unwritten[key] ?? 0, transaction)
            }
        }
    }
}

/// Writes the receipts of this replica to the database, where the push queue of every replica reads them.
public struct PushReceiptWriter: Sendable {
    /// Receipts that come within this time are written together.
    private static let pace: Duration = .milliseconds(50)
    private static let interval: Duration = .seconds(1)

    private let environment: Environment

    public init(_ environment: Environment) { self.environment = environment }

    /// Writes receipts until the task is cancelled.
    public func run() async {
        await environment.worker("receipts of pushes", every: Self.pace) {
            _ = await environment.pushReceipts.noted.wait(atMost: Self.interval)
            await flush()
            return .afterInterval
        }.run()
    }

    func flush() async {
        let receipts = environment.pushReceipts.take()
        if receipts.isEmpty { return }
        do {
            _ = try await environment.pools.worker.run(Segment([Self.insert(receipts)]))
        } catch {
            environment.pushReceipts.putBack(receipts)
            environment.warn("receipts of pushes are not written", error)
        }
    }

    private static func insert(_ receipts: [PushReceipts.Key: Int64]) -> SQL {
        let receipts = Array(receipts)
        return """
            select record_push_receipts(\(receipts.map(\.key.session)), \(receipts.map(\.key.object)), \
            \(receipts.map(\.value)))
            """
    }
}
