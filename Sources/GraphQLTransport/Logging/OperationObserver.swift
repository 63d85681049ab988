import GraphQL
import Logging

/// Observes one operation of a client from its request to its answer, for traces and logs. If the operation gets no
/// answer of its own, because its client is gone or its time is over, the observer is released without a call of
/// `answered`.
public protocol OperationObserver: ExecutionObserver {
    /// Called where the document was not in the cache.
    /// - Parameters:
    ///   - parsing: the time that the parser took.
    ///   - validation: the time that the validation took; nil where the document could not be parsed.
    func prepared(parsing: Range<ContinuousClock.Instant>, validation: Range<ContinuousClock.Instant>?)
    /// Called once the operation is found in its document.
    func identified(_ operation: IdentifiedOperation)
    /// Called once, on the event loop of the client's connection, when the answer is written or a subscription begins.
    func answered(_ answer: AnsweredOperation)
    /// Further fields of the request's entry in the log.
    var logMetadata: Logger.Metadata { get }
}

/// The names of an operation. Neither the document nor a variable's value is among them.
public final class IdentifiedOperation: Sendable {
    public let type: OperationType
    public let name: String?
    /// The SHA-256 of the document in hexadecimal.
    public let documentHash: String

    init(type: OperationType, name: String?, documentHash: String) {
        self.type = type
        self.name = name
        self.documentHash = documentHash
    }
}

/// The facts about an operation's answer.
public struct AnsweredOperation: Sendable {
    public let outcome: OperationOutcome
    /// `extensions.code` of each error that has one.
    public let errorCodes: [String]
    /// Since the request's head arrived.
    public let duration: Duration
}

public enum OperationOutcome: Int, CaseIterable, Sendable {
    case success
    /// The operation ran, and its response has errors, of which none is internal.
    case partial
    /// The request was refused before anything ran.
    case refused
    /// The response has an internal error, or the refusal's status (not `legacyStatus`) is 500 or more.
    case failed
}
