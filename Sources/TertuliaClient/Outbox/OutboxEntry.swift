import Foundation
import GRDB

/// A write that waits for its answer.
public struct OutboxEntry: Sendable, Equatable, Identifiable {
    public enum State: Sendable, Equatable {
        /// Is sent when there is a network and the entries before it are answered.
        case waiting
        /// The server refused it: `userErrors`, or a request that it will not take. The app mends, retries or discards.
        case refused([ResponseError])
        /// It was sent, got no answer, and is too old to be sent again without doing it twice. The app decides.
        case uncertain
        /// Somebody else changed what it changes, and the app is asked: it retries or discards.
        case conflicting
        /// Somebody else changed what it changes, and the server's state stays. The app mends, retries or discards.
        case overruled
    }

    /// Its `clientMutationId`: the server does the mutation once under it.
    public let id: String
    /// The operation's name.
    public let operation: String
    public let documentID: String
    public let document: String
    public let variables: JSONObject
    /// The ids of the objects that it writes or names: entries of one object are sent in their order.
    public let objects: [String]
    public var state: State
    public let queuedAt: Date
    /// When it was first sent; nil where the server cannot have it.
    public var sentAt: Date?
    public var attempts: Int
    public var conflicts = ConflictPolicy.lastWriter
    /// What the fields that it changes were when it was queued; nil where no conflict is looked for any more.
    var base: ConflictBase?
    /// A query whose answer is stored before conflicts are looked for.
    var reading: OutboxRequest?
}

extension OutboxEntry.State {
    var name: String {
        switch self {
        case .waiting: "waiting"
        case .refused: "refused"
        case .uncertain: "uncertain"
        case .conflicting: "conflicting"
        case .overruled: "overruled"
        }
    }

    var failureJSON: JSONValue? {
        guard case .refused(let errors) = self else { return nil }
        return .list(
            errors.map { error in
                .object(
                    JSONObject([
                        ("message", .string(error.message)), ("path", .list(error.path.map(JSONValue.string))),
                        ("extensions", .object(error.extensions)),
                    ]))
            })
    }
}

extension OutboxEntry {
    init(_ row: Row) throws {
        let failure: Data? = row["failure"]
        let name: String = row["state"]
        switch name {
        case "refused":
            state = .refused(try (failure.map { try JSONValue(json: $0) }?.list ?? []).map { ResponseError($0) })
        case "uncertain": state = .uncertain
        case "conflicting": state = .conflicting
        case "overruled": state = .overruled
        default: state = .waiting
        }
        let variables: Data = row["variables"]
        let objects: Data = row["objects"]
        let queuedAt: Double = row["queued_at"]
        let sentAt: Double? = row["sent_at"]
        id = row["id"]
        operation = row["operation"]
        documentID = row["document_id"]
        document = row["document"]
        self.variables = try JSONValue(json: variables).object ?? JSONObject()
        self.objects = (try JSONValue(json: objects).list ?? []).compactMap(\.text)
        self.queuedAt = Date(timeIntervalSince1970: queuedAt)
        self.sentAt = sentAt.map(Date.init(timeIntervalSince1970:))
        attempts = row["attempts"]
        let policy: String = row["conflicts"]
        let base: Data? = row["base"]
        let reading: Data? = row["reading"]
        conflicts = ConflictPolicy(rawValue: policy) ?? .ask
        self.base = try base.map { ConflictBase(try JSONValue(json: $0)) }
        self.reading = try reading.flatMap { OutboxRequest(try JSONValue(json: $0)) }
    }
}
