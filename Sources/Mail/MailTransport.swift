/// Where mails go: to a server, or into a directory.
public protocol MailTransport: Sendable {
    /// - Throws: `MailError`
    func send(_ message: MailMessage) async throws(MailError)
}

public enum MailError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Another try may succeed: no connection, a full mailbox, a greylist.
    case temporary(String)
    /// No other try will (RFC 5321, section 4.2.1: a reply of 5xx).
    case permanent(String)

    /// For the log alone.
    public var description: String {
        switch self {
        case .temporary(let reason), .permanent(let reason): reason
        }
    }
}
