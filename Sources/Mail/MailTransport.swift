/// Delivers mails: to a server, or into a directory.
public protocol MailTransport: Sendable {
    /// - Throws: `MailError`
    func send(_ message: MailMessage) async throws(MailError)
}

/// The reason for a failed delivery, with a text for the log.
public enum MailError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another attempt may succeed: no connection, a full mailbox, a greylist.
    case temporary(String)
    /// Another attempt will fail too (RFC 5321, section 4.2.1: a reply of 5xx).
    case permanent(String)

    /// The text, which is for the log alone.
    public var description: String {
        switch self {
        case .temporary(let reason), .permanent(let reason): reason
        }
    }
}
