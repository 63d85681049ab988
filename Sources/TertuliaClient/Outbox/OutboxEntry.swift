import Foundation
import GRDB

/// A write that waits for its answer.
public struct OutboxEntry: Sendable, Equatable, Identifiable {
    public enum State: Sendable, Equatable {
        /// The entry is sent when there is a network. An earlier entry that shares an object with this one holds it up
        /// while the earlier entry waits, is uncertain or is in conflict.
        case waiting
        /// The server refused the write (by `userErrors`, or as a request that it does not take), or failed at it too
        /// often. The app mends, retries or discards the entry.
        case refused([ResponseError])
        /// The write was sent, and its outcome is not known. The server no longer remembers the mutation, so that
        /// another attempt could do it twice. The app retries or discards the entry.
        case uncertain
        /// Somebody else changed the same fields, and the policy is to ask. The app retries or discards the entry.
        case conflicting
        /// Somebody else changed the same fields, and the policy is that the server wins. The app mends, retries or
        /// discards the entry.
        case overruled
    }

    /// The mutation's `clientMutationId`. The server does the mutation once under this id.
    public let id: String
    /// The operation's name.
    public let operation: String
    public let documentID: String
    public let document: String
    public let variables: JSONObject
    /// The ids of the objects that the mutation writes or names. Entries that share an object are sent in the order in
    /// which they were queued.
    public let objects: [String]
    public var state: State
    public let queuedAt: Date
    /// The time of the first attempt; nil where the next attempt counts as the first: before any attempt, and where the
    /// app has retried the entry. A retry keeps the time of an entry at which the server itself failed too often.
    public var sentAt: Date?
    /// The number of attempts at which the server itself failed, since the entry was queued or the app retried it.
    public var faults: Int
    public var conflicts = ConflictPolicy.lastWriter
    /// The values that the write's fields had when it was queued, or that the account's own writes have given them
    /// since; nil where no conflict is looked for.
    var base: ConflictBase?
    /// A query that is sent before conflicts are looked for. Its answer is stored and compared with `base`.
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
        faults = row["faults"]
        let policy: String = row["conflicts"]
        let base: Data? = row["base"]
        let reading: Data? = row["reading"]
        conflicts = ConflictPolicy(rawValue: policy) ?? .ask
        self.base = try base.map { ConflictBase(try JSONValue(json: $0)) }
        self.reading = try reading.flatMap { OutboxRequest(try JSONValue(json: $0)) }
    }
}
