import Postgres

/// The kind of a mail; the raw values are the database's.
enum MailKind: String, Sendable, CaseIterable {
    case confirmEmail = "CONFIRM_EMAIL"
    case resetPassword = "RESET_PASSWORD"
    case passwordChanged = "PASSWORD_CHANGED"
    case emailChangeRequested = "EMAIL_CHANGE_REQUESTED"
    case emailChanged = "EMAIL_CHANGED"
}

/// A mail that is queued in the transaction of the change that it reports.
struct NewMail {
    private let id: UUID
    private let kind: MailKind

    init(_ environment: Environment, _ kind: MailKind) {
        id = environment.newID()
        self.kind = kind
    }

    func insert(recipient: SQL, user: SQL) -> SQL {
        "insert into mails (id, kind, recipient, user_id) values (\(id), \(kind.rawValue), \(recipient), \(user))"
    }

    /// Queues a mail if `query` has a row.
    /// - Parameter query: has one row at most: the recipient, the account, and the detail, which is the new address for
    ///   a mail that tells the former address of the change, otherwise null.
    func insert(from query: SQL) -> SQL {
        """
        insert into mails (id, kind, recipient, user_id, detail) \
        select \(id), \(kind.rawValue), m.* from (\(query)) as m (recipient, user_id, detail)
        """
    }
}
